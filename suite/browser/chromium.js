import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";

const pictures = fileURLToPath(new URL("../../target/browser/", import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const everything = Boolean(process.env.TEST_EVERYTHING);

const views = [["dark", 320], ["light", 1280], ["dark", 1280], ["light", 320]];

/** The schemes and widths of a page: all of them, or in the short form one of the first two, by the page's name. */
const viewsOf = (name) => (everything ? views : [views[[...name].reduce((sum, letter) => sum + letter.codePointAt(0), 0) % 2]]);

/** Debian's Chromium, without a window. */
export class Chromium {
    /** Everybody who ever had a browser here. */
    people = [];

    async start(issuer) {
        this.issuer = issuer;
        rmSync(pictures, { recursive: true, force: true });
        mkdirSync(pictures, { recursive: true });
        const args = ["--no-first-run", "--disable-gpu", "--disable-extensions", "--disable-background-networking"];
        if (process.getuid() === 0) args.push("--no-sandbox");
        this.browser = await puppeteer.launch({ executablePath: "/usr/bin/chromium", headless: true, args });
    }

    async person() {
        const context = await this.browser.createBrowserContext();
        const person = new Person(context, await context.newPage(), this.issuer);
        await person.watch();
        this.people.push(person);
        return person;
    }

    async stop() {
        await this.browser?.close();
    }
}

/** One with a browser of his own, and all that it said and asked. */
export class Person {
    /** Errors of pages: of the console, of scripts, of the policy. */
    errors = [];
    /** What pages of the service asked for: url, method, body, isNavigation. */
    requests = [];
    /** What pages wanted of WebCrypto. */
    crypto = [];
    /** What was found by looking at pages. */
    static findings = [];
    static looked = new Set();

    constructor(context, page, issuer) {
        this.context = context;
        this.page = page;
        this.issuer = issuer;
        page.setDefaultTimeout(20_000);
    }

    async watch() {
        const { page, issuer } = this;
        page.on("pageerror", (error) => this.errors.push(`${page.url()}: ${error.message}`));
        page.on("dialog", (dialog) => {
            this.errors.push(`${page.url()}: dialog`);
            dialog.dismiss();
        });
        page.on("console", (message) => {
            // Chromium says this of every answer 4xx, also of those that are meant.
            const meant = message.text().startsWith("Failed to load resource: the server responded with a status of");
            if (["error", "warn"].includes(message.type()) && !meant && page.url().startsWith(issuer)) {
                this.errors.push(`${page.url()}: ${message.text()}`);
            }
        });
        page.on("request", (request) => {
            const from = request.isNavigationRequest() ? "" : (request.frame()?.url() ?? "");
            this.requests.push({ url: request.url(), method: request.method(), body: request.postData() ?? "", from,
                isNavigation: request.isNavigationRequest(), headers: request.headers() });
        });
        await page.exposeFunction("suiteNotes", (what) => {
            this.crypto.push(what);
        });
        await page.evaluateOnNewDocument(spyOnCrypto);
    }

    /** Opens an address as if it were typed. */
    async open(url) {
        return this.page.goto(url, { waitUntil: "load" });
    }

    /** Waits for a text on the page, and returns all of the page's text. */
    async sees(text) {
        try {
            await this.page.waitForFunction((wanted) => document.body?.innerText.includes(wanted), {}, text);
        } catch (late) {
            const shown = await this.page.evaluate(() => document.body?.innerText).catch(() => "");
            throw new Error(`"${text}" is not on ${this.page.url()}, which shows:\n${shown} (${late.message})`);
        }
        return this.page.evaluate(() => document.body.innerText);
    }

    /** Clicks a button or link with this text. */
    async clicks(text) {
        const handle = await this.page.waitForSelector(`::-p-xpath(//button[contains(., "${text}")] | //a[contains(., "${text}")] | //summary[contains(., "${text}")])`, { visible: true });
        await handle.click();
    }

    /** The action in the page, as both places of it hold it. */
    async action() {
        return this.page.evaluate(() => ({
            script: document.getElementById("sign-in-action")?.textContent,
            meta: document.querySelector("meta[name=inboxd-session-action]")?.content,
        }));
    }

    /** Looks at the page in each scheme and width: pictures, width, axe. */
    async looks(name) {
        if (Person.looked.has(name)) return;
        Person.looked.add(name);
        const { page } = this;
        for (const [scheme, width] of viewsOf(name)) {
            await page.setViewport({ width, height: 800 });
            await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
            // The frame takes its new width some time after the answer to the command; before it, both are measured mixed.
            await page.waitForFunction((wanted) => window.innerWidth === wanted, { polling: "raf" }, width);
            const wide = await page.evaluate(async () => {
                for (let frame = 0; frame < 2; frame++) await new Promise((drawn) => requestAnimationFrame(drawn));
                return document.documentElement.scrollWidth - window.innerWidth;
            });
            if (wide > 0) Person.findings.push(`${name}, ${scheme}, ${width}: ${wide} px too wide`);
            await page.screenshot({ path: join(pictures, `${name}-${scheme}-${width}.png`), fullPage: true });
            await page.evaluate(axe);
            const { violations } = await page.evaluate(() => window.axe.run(document, { preload: false }));
            for (const { id, impact, help, nodes } of violations) {
                const where = nodes.map((node) => node.target.join(" ")).join("; ");
                Person.findings.push(`${name}, ${scheme}, ${width}: ${impact}: ${id}: ${help} (${where})`);
            }
        }
        await page.setViewport({ width: 1280, height: 800 });
    }

    /** The keys in the store of the service's origin. The page shown must be one of the service. */
    async keys() {
        return this.page.evaluate(async () => {
            const database = await new Promise((resolve, reject) => {
                const request = indexedDB.open("inboxd-keys");
                request.onsuccess = () => resolve(request.result);
                request.onerror = () => reject(request.error);
            });
            if (!database.objectStoreNames.contains("keys")) return [];
            const keys = await new Promise((resolve) => {
                const request = database.transaction("keys").objectStore("keys").getAll();
                request.onsuccess = () => resolve(request.result);
            });
            database.close();
            const { unwatched } = SubtleCrypto.prototype.exportKey;
            const refused = (key, format) => unwatched.call(crypto.subtle, format, key).then(() => false, (error) => error.name);
            return Promise.all(keys.map(async ({ private_key: key, ...rest }) => ({
                ...rest, type: key.type, extractable: key.extractable, usages: key.usages,
                exports: await Promise.all(["jwk", "pkcs8", "raw"].map((format) => refused(key, format))),
            })));
        });
    }

    async leaves() {
        await this.context.close();
    }
}

/** Runs in each page, before its own scripts. */
function spyOnCrypto() {
    const note = (what) => window.suiteNotes?.(what);
    const names = ["generateKey", "exportKey", "wrapKey", "importKey", "deriveKey", "deriveBits", "unwrapKey"];
    for (const name of names) {
        const real = SubtleCrypto.prototype[name];
        SubtleCrypto.prototype[name] = function (...given) {
            const key = given.find((each) => each instanceof CryptoKey);
            note({ name, type: key?.type ?? null, extractable: name === "generateKey" ? given[1] : null });
            return real.apply(this, given);
        };
        SubtleCrypto.prototype[name].unwatched = real;
    }
}
