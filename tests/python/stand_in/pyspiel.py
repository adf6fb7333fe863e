"""What ferz.openspiel uses of OpenSpiel, for tests on machines without it: games by name, and
states that keep their history, copy themselves and list legal actions of the one who decides."""
import copy
import enum
import pickle
from types import SimpleNamespace

PrivateInfoType = enum.Enum("PrivateInfoType", "NONE SINGLE_PLAYER ALL_PLAYERS")
_CREATORS = {}


class PlayerId(enum.IntEnum):
    CHANCE = -1
    TERMINAL = -4


class GameType(SimpleNamespace):
    Dynamics = enum.Enum("Dynamics", "SEQUENTIAL SIMULTANEOUS")
    ChanceMode = enum.Enum("ChanceMode", "DETERMINISTIC EXPLICIT_STOCHASTIC")
    Information = enum.Enum("Information", "PERFECT_INFORMATION IMPERFECT_INFORMATION")
    Utility = enum.Enum("Utility", "ZERO_SUM GENERAL_SUM")
    RewardModel = enum.Enum("RewardModel", "TERMINAL REWARDS")


class GameInfo(SimpleNamespace):
    pass


class IIGObservationType(SimpleNamespace):
    pass


class Game:
    def __init__(self, kind, info, params):
        self._kind, self._info = kind, info

    def get_type(self):
        return self._kind

    def num_distinct_actions(self):
        return self._info.num_distinct_actions

    def num_players(self):
        return self._info.num_players

    def max_chance_outcomes(self):
        return self._info.max_chance_outcomes

    def max_game_length(self):
        return self._info.max_game_length


class State:
    def __init__(self, game):
        self._game, self._history = game, []

    def apply_action(self, action):
        self._apply_action(action)
        self._history.append(action)

    def legal_actions(self, player=None):
        now = self.current_player()
        if now == PlayerId.TERMINAL or (player is not None and player != now):
            return []
        if now == PlayerId.CHANCE:
            return [action for action, _ in self.chance_outcomes()]
        return self._legal_actions(now)

    def history(self):
        return self._history

    def _copied(self, duplicate):
        state = self._game.new_initial_state()
        for name, value in self.__dict__.items():
            if name != "_game":
                setattr(state, name, duplicate(value))
        return state

    def clone(self):
        return self._copied(copy.deepcopy)

    def read_again(self):
        """What serialize and deserialize do."""
        return self._copied(lambda value: pickle.loads(pickle.dumps(value)))

    def observation_string(self, player):
        return self._game.make_py_observer().string_from(self, player)

    def observation_tensor(self, player):
        observer = self._game.make_py_observer()
        observer.set_from(self, player)
        return list(observer.tensor)

    def information_state_string(self, player):
        kind = IIGObservationType(public_info=True, perfect_recall=True,
                                  private_info=PrivateInfoType.SINGLE_PLAYER)
        return self._game.make_py_observer(kind).string_from(self, player)


def register_game(kind, creator):
    _CREATORS[kind.short_name] = creator


def load_game(name):
    return _CREATORS[name]({})
