import { isPlanted } from "./mail/mails.js";
import { inOrder, read, runs, without, words } from "./words.js";

/** What must hold of either half, in percent. */
const bounds = { words: 98, runs: 98, extra: 1, low: 2, size: 15 };
/** Writing takes less than parsing once the program is warm; beside other programs it never gets so warm. */
const slowest = 2;
const worst = 15;

/** The figures of mails, for the half that rules are made by and for the other, which is held back. */
export class Figures {
    #mails = [];
    #times;

    /** @param all whether faults of the half that is held back are told too */
    constructor(all) {
        this.all = all;
    }

    /** Compares one mail with what the browser shows; the numbers are those of its line of Render. */
    add(mail, markdown, page, [htmlTokens, octets, tokens, octetsOfModels, tokensOfModels, degraded]) {
        const { text, pictures } = page;
        const mine = read(markdown);
        const { text: written, numbers, foreign } = mine;
        const shown = words(text).filter((word) => !isPlanted(word.toLowerCase()));
        const found = inOrder(shown, words(written));
        const shownRuns = runs(text).filter((word) => !isPlanted(word.toLowerCase()));
        const foundRuns = inOrder(shownRuns, runs(written));
        this.#mails.push({
            name: mail.name, held: mail.held, weighs: mail.weighs, foreign, structure: structure(mail, page, mine), degraded: degraded === "true",
            shown: shown.length, common: found.common, missing: found.missing,
            extra: without(found.extra, [...words(pictures), ...numbers]).filter((word) => word !== "X"),
            shownRuns: shownRuns.length, commonRuns: foundRuns.common, missingRuns: foundRuns.missing,
            planted: words(markdown.toLowerCase()).map((word) => word.toLowerCase()).filter(isPlanted),
            html: Buffer.byteLength(mail.html), octets: Number(octets), octetsOfModels: Number(octetsOfModels),
            htmlTokens: Number(htmlTokens), tokens: Number(tokens), tokensOfModels: Number(tokensOfModels),
        });
    }

    time(times) {
        this.#times = times;
    }

    /** Prints everything, and counts what holds; @param isLong whether times were measured for long enough to hold them to a bound */
    print(isLong) {
        const checks = [];
        for (const held of [false, true]) {
            const half = this.#mails.filter((mail) => mail.held === held);
            if (half.length > 0) checks.push(...this.#half(half, held ? "held back" : "open"));
        }
        if (this.#times) {
            const [mime, html, whole] = this.#times;
            const ratio = (whole - html) / (mime + html);
            console.log(`time of a mail: ${mime.toFixed(0)} us to parse its MIME, ${html.toFixed(0)} us its HTML; `
                + `${whole.toFixed(0)} us its Markdown with the parsing of its HTML: to write it takes ${ratio.toFixed(2)} times as long as to parse the mail`);
            if (isLong) checks.push([`time to write, at most ${slowest} times that to parse`, ratio <= slowest]);
        }
        for (const [what, holds] of checks) console.log(`${holds ? "ok" : "FAILED"} ${what}`);
        const passed = checks.filter(([, holds]) => holds).length;
        return { passed, failed: checks.length - passed };
    }

    #half(mails, name) {
        const sum = (member) => mails.reduce((total, mail) => total + mail[member], 0);
        const share = 100 * sum("common") / sum("shown");
        const ofRuns = 100 * sum("commonRuns") / sum("shownRuns");
        const extra = 100 * mails.reduce((total, mail) => total + mail.extra.length, 0) / sum("shown");
        const low = mails.filter((mail) => mail.common < 0.98 * mail.shown);
        const planted = mails.filter((mail) => mail.planted.length > 0);
        const foreign = mails.filter((mail) => mail.foreign.length > 0);
        const structured = mails.filter((mail) => mail.structure.length > 0);
        const degraded = mails.filter((mail) => mail.degraded);
        const heavy = mails.filter((mail) => mail.weighs);
        const size = median(heavy.map((mail) => 100 * mail.octets / mail.html));
        const ofModels = median(heavy.map((mail) => 100 * mail.octetsOfModels / mail.html));
        const tokens = median(heavy.map((mail) => 100 * mail.tokens / mail.htmlTokens));
        const fewest = median(heavy.map((mail) => 100 * mail.tokensOfModels / mail.htmlTokens));
        console.log(`${name}: ${mails.length} mails, ${sum("shown")} words: ${share.toFixed(2)} % in order, `
            + `${ofRuns.toFixed(2)} % with their punctuation, ${extra.toFixed(2)} % more than shown; `
            + `${low.length} mails below 98 %, the lowest ${Math.min(...mails.map((mail) => 100 * mail.common / mail.shown)).toFixed(1)} %`);
        console.log(`${name}: of ${heavy.length} mails in which layout weighs, the median Markdown has ${size.toFixed(1)} % of the octets `
            + `(${ofModels.toFixed(1)} % with short links), ${tokens.toFixed(1)} % of the tokens (${fewest.toFixed(1)} %)`);
        if (this.all || name === "open") tell(mails, planted, foreign, structured);
        return [
            [`${name}: words in order, at least ${bounds.words} %`, share >= bounds.words],
            [`${name}: words with their punctuation, at least ${bounds.runs} %`, ofRuns >= bounds.runs],
            [`${name}: words that are not shown, at most ${bounds.extra} %`, extra <= bounds.extra],
            [`${name}: mails with fewer than 98 % of their words, at most ${bounds.low} % (${low.length})`, low.length <= mails.length * bounds.low / 100],
            [`${name}: no planted word is seen (${planted.length} mails)`, planted.length === 0],
            [`${name}: neither HTML nor pictures in the Markdown (${foreign.length} mails)`, foreign.length === 0],
            [`${name}: headings, lists and tables as in the mail (not in ${structured.length} mails)`, structured.length === 0],
            [`${name}: nothing is degraded (${degraded.length} mails)`, degraded.length === 0],
            ...heavy.length > 0 ? [[`${name}: median size, at most ${bounds.size} % (${size.toFixed(1)} %)`, size <= bounds.size]] : [],
        ];
    }
}

/**
 * What differs between the structure of the mail and that of its Markdown. Lists of Word and bullets that are text are no
 * lists of HTML, and a table without headings may be one of data.
 */
function structure(mail, page, mine) {
    const differences = [];
    const ours = mine.headings.map((each) => words(read(each).text).join(" "));
    const theirs = page.headings.map((each) => words(each).filter((word) => !isPlanted(word.toLowerCase())).join(" ")).filter(Boolean);
    if (ours.join("|") !== theirs.join("|")) differences.push(`headings ${brief(without(theirs, ours))} and ${brief(without(ours, theirs))}`);
    const listed = mail.html.match(/class=["']?MsoListParagraph|[•·–✓]|&bull;|&#8226;/g)?.length ?? 0;
    if (mine.items < page.items || mine.items > page.items + listed) differences.push(`items ${page.items} as ${mine.items}`);
    if (mine.tables < page.tables) differences.push(`tables ${page.tables} as ${mine.tables}`);
    return differences;
}

function tell(mails, planted, foreign, structured) {
    const faults = (mail) => mail.missing.length + mail.missingRuns.length + mail.extra.length;
    const listed = mails.filter(faults).sort((a, b) => faults(b) / b.shown - faults(a) / a.shown);
    for (const mail of listed.slice(0, worst)) {
        console.log(`  ${mail.name}: missing ${brief(mail.missing)}; as run ${brief(mail.missingRuns)}; more ${brief(mail.extra)}`);
    }
    if (listed.length > worst) console.log(`  and ${listed.length - worst} more with a difference`);
    for (const mail of planted) console.log(`  ${mail.name}: planted ${brief(mail.planted)}`);
    for (const mail of structured) console.log(`  ${mail.name}: ${mail.structure.join("; ")}`);
    for (const mail of foreign) console.log(`  ${mail.name}: foreign ${brief(mail.foreign)}`);
    for (const mail of mails.filter((one) => one.weighs).sort((a, b) => b.octets / b.html - a.octets / a.html).slice(0, 3)) {
        console.log(`  ${mail.name}: ${(100 * mail.octets / mail.html).toFixed(1)} % of ${mail.html} octets`);
    }
}

function brief(list) {
    return `${list.length} (${list.slice(0, 8).join(" ")})`;
}

function median(numbers) {
    const sorted = [...numbers].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
