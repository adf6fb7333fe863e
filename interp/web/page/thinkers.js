// One search in several workers: each searches with a seed of its own, and the move that all of them
// tried most is played.
const MOST = 4, LEAST = 1000; // workers; iterations that are worth more than one

// What each worker is asked. One processor is left for the page. Separate trees find less than one
// tree of the same size, so the search is not cut into equal parts: all do more together.
export function sharesOf(agent, processors) {
    const [, iterations] = /^mcts:(\d+)$/.exec(agent) ?? [];
    const workers = iterations >= LEAST ? Math.max(1, Math.min(MOST, processors - 1)) : 1;
    const share = workers > 1 ? `mcts:${Math.ceil(iterations / Math.sqrt(workers))}` : agent;
    return Array.from({ length: workers }, () => share);
}

// The move of all answers: a proven win, or the most visits.
export function together(answers) {
    const won = answers.find((one) => one.wins);
    if (won || answers.length === 1) return won ?? answers[0];
    const sums = new Map();
    for (const { tried } of answers)
        for (const [text, visits] of tried) sums.set(text, (sums.get(text) ?? 0) + visits);
    const [best] = [...sums].sort(([, a], [, b]) => b - a);
    return best ? { text: best[0] } : answers[0];
}
