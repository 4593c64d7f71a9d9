/** Seconds from which on the line of a check says how long it took. */
const SLOW = 5;

/** Runs checks one after another, each within so many seconds, prints a line for each, and counts. */
export class Report {
    heading = "";
    passed = 0;
    failed = 0;

    async check(title, check, seconds = 60) {
        const start = performance.now();
        try {
            await within(seconds, check());
            this.passed++;
            const took = (performance.now() - start) / 1000;
            console.log(`ok    ${this.heading}: ${title}${took < SLOW ? "" : ` (${took.toFixed(0)} s)`}`);
        } catch (fault) {
            this.failed++;
            console.log(`FAIL  ${this.heading}: ${title}\n      ${explain(fault)}`);
        }
    }
}

/** The promise, or a failure after so many seconds. */
export function within(seconds, promise, what = "an answer") {
    let timer;
    const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`no ${what} within ${seconds} s`)), seconds * 1000);
    });
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Asks again and again until the answer is truthy, for at most 15 seconds. */
export async function eventually(what, ask) {
    const end = Date.now() + 15_000;
    for (;;) {
        const answer = await ask();
        if (answer) return answer;
        if (Date.now() > end) throw new Error(`not within 15 s: ${what}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
}

function explain(fault) {
    const where = (fault.stack ?? "").split("\n").find((line) => line.includes("/checks/"))?.trim() ?? "";
    // The client's own message shows the whole answer over many lines.
    const { statusCode: status, body } = fault;
    const message = status ? `${status} ${body?.code}: ${body?.message} ${JSON.stringify(body?.errors ?? "")}` : fault.message;
    const errors = fault.errors ? ` ${JSON.stringify(fault.errors)}` : "";
    return `${message}${errors} ${where}`.replaceAll("\n", "\n      ").slice(0, 1500);
}
