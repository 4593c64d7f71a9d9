import { spawn, spawnSync } from "node:child_process";
import { cp, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { within } from "../sdk/report.js";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const lib = here("../../target/clients");
/** Programs that run once and for seconds: without the compiler that pays off later. */
const quick = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

/** Runs a program to its end and gives what it printed; a status other than 0 is a failure that shows the end of it. */
async function run(command, { cwd, env, seconds = 300 } = {}) {
    const process_ = spawn(command[0], command.slice(1), { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [process_.stdout, process_.stderr]) stream.setEncoding("utf8").on("data", (text) => output += text);
    const ended = new Promise((resolve, reject) => process_.once("error", reject).once("close", resolve));
    try {
        const status = await within(seconds, ended, `end of ${command[0]}`);
        if (status !== 0) throw new Error(`${command.join(" ").slice(0, 200)} ended with ${status}:\n${output.slice(-1200)}`);
        return output;
    } finally {
        process_.kill("SIGKILL");
    }
}

const has = (...command) => spawnSync(command[0], command.slice(1), { stdio: "ignore" }).status === 0;

const java = (tool) => join(process.env.JAVA_HOME ?? "", process.env.JAVA_HOME ? `bin/${tool}` : tool);

/** Makes a client by openapi-generator in a folder. */
async function openApiGenerator(language, description, folder, options = []) {
    const jar = (await readdir(lib)).find((name) => name.startsWith("openapi-generator-cli-"));
    await run([java("java"), ...quick, "-jar", join(lib, jar), "generate", "-g", language, "-i", description, "-o", folder,
        "--global-property", "models,apis,supportingFiles,modelTests=false,apiTests=false,modelDocs=false,apiDocs=false",
        ...options]);
}

async function files(folder, ending) {
    return (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(ending)).map((name) => join(folder, name));
}

/**
 * Each language: what is missing here to try it, how a client is made of the files `whole` and `calls` (without webhooks)
 * in a folder and compiled with the walk, and how the walk is started.
 */
export const generators = {
    typescript: {
        name: "openapi-typescript", missing: () => undefined,
        async make({ whole, folder }) {
            await run([process.execPath, here("node_modules/openapi-typescript/bin/cli.js"), whole, "-o", join(folder, "api.d.ts")]);
        },
        async compile({ folder }) {
            await cp(here("walks/walk.ts"), join(folder, "walk.ts"));
            await symlink(here("node_modules"), join(folder, "node_modules"));
            await writeFile(join(folder, "package.json"), '{"type": "module"}');
            await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ files: ["walk.ts", "api.d.ts"], compilerOptions: {
                target: "es2022", module: "nodenext", strict: true, types: [], lib: ["es2022", "dom", "dom.iterable"] } }));
            await run([process.execPath, here("node_modules/typescript/bin/tsc"), "-p", folder]);
        },
        start: ({ folder }) => [process.execPath, join(folder, "walk.js")],
    },
    java: {
        name: "openapi-generator for Java", isLong: true, missing: () => undefined,
        async make({ whole, folder }) {
            await openApiGenerator("java", whole, folder, ["--library", "native"]);
        },
        async compile({ folder }) {
            await mkdir(join(folder, "classes"));
            await writeFile(join(folder, "sources"), (await files(join(folder, "src"), ".java")).join("\n"));
            await run([java("javac"), ...quick.map((option) => `-J${option}`), "-nowarn", "-proc:none", "-cp", join(lib, "*"),
                "-d", join(folder, "classes"), `@${join(folder, "sources")}`, here("walks/Walk.java")]);
        },
        start: ({ folder }) => [java("java"), ...quick, "-cp", `${join(folder, "classes")}:${join(lib, "*")}`, "Walk"],
    },
    go: {
        name: "openapi-generator for Go", isLong: true,
        missing: () => has("go", "version") ? undefined : "there is no go on the PATH",
        async make({ whole, folder }) {
            await openApiGenerator("go", whole, folder, ["--additional-properties", "packageName=inboxes,isGoSubmodule=false,withGoMod=false"]);
        },
        async compile({ folder }) {
            await writeFile(join(folder, "go.mod"), "module walk\n\ngo 1.18\n");
            await mkdir(join(folder, "walk"));
            await cp(here("walks/walk.go"), join(folder, "walk/walk.go"));
            await run(["go", "build", "-p", String(availableParallelism()), "-o", join(folder, "walks"), "./walk"], {
                cwd: folder, env: { GOFLAGS: "-mod=mod", GOPROXY: "off", GOTOOLCHAIN: "local" } });
        },
        start: ({ folder }) => [join(folder, "walks")],
    },
    python: {
        name: "openapi-generator for Python", isLong: true,
        missing: () => has("python3", "-c", "import pydantic, urllib3, dateutil, typing_extensions; assert pydantic.VERSION[0] == '2'")
            ? undefined : "python3 has no pydantic 2, urllib3, dateutil and typing_extensions",
        async make({ calls, folder }) {
            await openApiGenerator("python", calls, folder, ["--additional-properties", "packageName=inboxes"]);
        },
        async compile({ folder }) {
            await run(["python3", "-m", "compileall", "-q", join(folder, "inboxes")]);
        },
        start: () => ["python3", "-B", here("walks/walk.py")],
        env: ({ folder }) => ({ PYTHONPATH: folder }),
    },
};

/** The titles of the steps of a walk that a client did, one by line. */
export async function walk(generator, place, server) {
    const env = { INBOXD_URL: server.url, INBOXD_KEY: server.key, ...generator.env?.(place) };
    return (await run(generator.start(place), { env, seconds: 120 })).split("\n").filter((line) => line.startsWith("ok ")).map((line) => line.slice(3));
}
