// Counts of checks for the scripts *.test.mjs, which runner/web.py reads.
let passed = 0, failed = 0;

export function equal(what, got, expected) {
    const good = JSON.stringify(got) === JSON.stringify(expected);
    if (good) passed++;
    else failed++;
    if (!good)
        console.log(`${what}\n  expected ${JSON.stringify(expected)}`
            + `\n  got      ${JSON.stringify(got)}`);
}

export function holds(what, condition) { equal(what, Boolean(condition), true); }

export function fails(what, call, message) {
    let text = "nothing was thrown";
    try {
        call();
    } catch (error) {
        text = error.message;
    }
    if (!text.includes(message)) console.log(`${what}: ${text}`);
    holds(what, text.includes(message));
}

// As `fails`, with an error of this class.
export function throws(what, call, sort, message) {
    fails(what, () => {
        try {
            call();
        } catch (error) {
            throw error instanceof sort ? error : new Error(`${error.name}: ${error.message}`);
        }
    }, message);
}

export function finish() {
    console.log(`${passed} passed, ${failed} failed`);
    process.exit(failed ? 1 : 0);
}
