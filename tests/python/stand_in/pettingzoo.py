"""What ferz.environments uses of PettingZoo, for tests on machines without it: agents that are done
take the action None, one after the other."""


class AECEnv:
    def _accumulate_rewards(self):
        for agent, reward in self.rewards.items():
            self._cumulative_rewards[agent] += reward

    def _was_dead_step(self, action):
        if action is not None:
            raise ValueError("an agent that is done has no action")
        gone = self.agent_selection
        for by_agent in (self.terminations, self.truncations, self.rewards,
                         self._cumulative_rewards, self.infos):
            del by_agent[gone]
        self.agents.remove(gone)
        if self.agents:
            self.agent_selection = self.agents[0]

    def agent_iter(self):
        while self.agents:
            yield self.agent_selection

    def last(self):
        agent = self.agent_selection
        return (self.observe(agent), self._cumulative_rewards[agent], self.terminations[agent],
                self.truncations[agent], self.infos[agent])
