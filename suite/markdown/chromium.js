import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

/** Debian's Chromium: 800 px wide, light, without scripts and without a network. */
export class Chromium {
    async start() {
        const args = ["--no-first-run", "--disable-extensions", "--disable-background-networking",
            "--host-resolver-rules=MAP * ~NOTFOUND", "--allow-file-access-from-files"];
        if (process.getuid() === 0) args.push("--no-sandbox");
        this.browser = await puppeteer.launch({ executablePath: "/usr/bin/chromium", headless: true, args });
        this.page = await this.browser.newPage();
        await this.page.setJavaScriptEnabled(false);
        await this.page.setViewport({ width: 800, height: 1000 });
        await this.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
    }

    /**
     * The text that the page of a file shows, what its pictures say instead of themselves, and its structure: the
     * headings that are not within a link, and how many items of lists and tables with headings it has.
     */
    async shows(file) {
        await this.page.goto(pathToFileURL(file).href, { waitUntil: "domcontentloaded" });
        return this.page.evaluate(() => {
            const shown = (selector) => [...document.querySelectorAll(selector)]
                .filter((each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && each.innerText.trim());
            return {
                text: document.body.innerText,
                pictures: [...document.images].map((image) => image.alt).join("\n"),
                headings: shown("h1, h2, h3, h4, h5, h6").filter((each) => !each.closest("a")).map((each) => each.innerText),
                items: shown("ul > li, ol > li").length,
                tables: new Set(shown("th, caption, thead, tfoot").map((each) => each.closest("table"))).size,
            };
        });
    }

    async stop() {
        await this.browser?.close();
    }
}
