// Counts what a script waits for by timers: more than a second in all is a failure.
import timers from "node:timers/promises";
import { syncBuiltinESMExports } from "node:module";

let waited = 0;
const { setTimeout: later } = globalThis;
globalThis.setTimeout = (work, delay = 0, ...rest) => {
    // What the runner and the client of HTTP set for their own limits is not the script's.
    if (new Error().stack.split("\n")[2]?.includes("/suite/world/")) waited += delay;
    return later(work, delay, ...rest);
};
const { setTimeout: sleep } = timers;
timers.setTimeout = (delay = 0, ...rest) => {
    waited += delay;
    return sleep(delay, ...rest);
};
syncBuiltinESMExports();
process.on("exit", () => {
    if (waited <= 1000) return;
    console.error(`The script waited for ${waited} ms by timers.`);
    process.exitCode = 1;
});
