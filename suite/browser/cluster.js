import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const programs = "/usr/lib/postgresql/15/bin";
const run = promisify(execFile);

/** A cluster of Debian's PostgreSQL 15 in a folder of its own, which the nodes share. */
export class Cluster {
    #password = randomBytes(16).toString("hex");

    async start() {
        this.folder = await mkdtemp(join(tmpdir(), "inboxd-browser-pg-"));
        const password = join(this.folder, "password");
        await writeFile(password, this.#password);
        if (process.getuid() === 0) {
            const [uid, gid] = await Promise.all(["-u", "-g"].map(async (which) => Number((await run("id", [which, "postgres"])).stdout)));
            await Promise.all([this.folder, password].map((each) => chown(each, uid, gid)));
        }
        await chmod(password, 0o600);
        await this.#program("initdb", "-D", join(this.folder, "data"), "-U", "postgres", "-A", "scram-sha-256",
            `--pwfile=${password}`, "-E", "UTF8", "--locale=C.UTF-8", "-N");
        this.port = await freePort();
        await this.#program("pg_ctl", "start", "-w", "-D", join(this.folder, "data"), "-l", join(this.folder, "log"), "-o",
            `-c port=${this.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off`);
        await this.sql("create database inboxd", "postgres");
    }

    get setting() {
        return `postgres://postgres:${this.#password}@127.0.0.1:${this.port}/inboxd`;
    }

    /** Runs a statement: what no door of the product does, such as letting months pass. */
    async sql(text, database = "inboxd") {
        const env = { ...process.env, PGPASSWORD: this.#password };
        const { stdout } = await run(join(programs, "psql"), ["-h", "127.0.0.1", "-p", String(this.port), "-U", "postgres",
            "-d", database, "-qAt", "-v", "ON_ERROR_STOP=1", "-c", text], { env });
        return stdout.trim();
    }

    async stop() {
        if (!this.folder) return;
        await this.#program("pg_ctl", "stop", "-D", join(this.folder, "data"), "-m", "immediate").catch(() => {});
        await rm(this.folder, { recursive: true, force: true });
    }

    /** PostgreSQL refuses to run as root. */
    #program(name, ...given) {
        const whole = [join(programs, name), ...given];
        if (process.getuid() === 0) whole.unshift("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups");
        // It leaves a server behind that would hold a pipe open.
        return new Promise((resolve, reject) => {
            const child = execFile(whole[0], whole.slice(1), { cwd: this.folder });
            child.once("exit", (status) => (status === 0 ? resolve() : reject(new Error(`${name} ended with ${status}`))));
            child.once("error", reject);
        });
    }
}

/** A port that nobody has now. */
export async function freePort() {
    const server = createServer();
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address();
    await new Promise((resolve) => server.close(resolve));
    return port;
}
