import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { languages } from "./wording/languages.js";

const read = (name) => readFileSync(new URL(`wording/${name}.txt`, import.meta.url), "utf8").split("\n")
    .filter((line) => line && !line.startsWith("#"));
const labels = new Map(read("labels").map((line) => line.split("|")).map(([key, ...words]) => [key, words]));
const texts = new Map(languages.map(({ tag }) => [tag, textsOf(tag)]));

function textsOf(tag) {
    const kinds = {};
    for (const line of read(tag)) {
        const [kind] = line.split(" ", 1);
        (kinds[kind] ??= []).push(line.slice(kind.length + 1));
    }
    return kinds;
}

/** A letter pair that is in every planted word and in no other. */
export const planted = "zq";

/** Text as HTML. */
export function escaped(text) {
    return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** What a mail says: words of one language, and chances, all of them decided by the mail's name. */
export class Wording {
    #decks = new Map();
    #state;

    constructor(name, language) {
        this.name = name;
        Object.assign(this, language);
        this.column = languages.indexOf(language);
        this.texts = texts.get(this.tag);
        this.#state = createHash("sha256").update(name).digest().readUInt32LE(4);
        this.firm = escaped(this.#draw("firm"));
        this.host = `${this.word(6)}.example`;
    }

    /** At least 0, less than 1 (mulberry32). */
    random() {
        this.#state = (this.#state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    }

    chance(share) {
        return this.random() < share;
    }

    number(least, most) {
        return least + Math.floor(this.random() * (most - least + 1));
    }

    pick(...list) {
        return list[Math.floor(this.random() * list.length)];
    }

    /** Each once before one comes again. */
    #draw(kind) {
        let deck = this.#decks.get(kind);
        if (!deck?.length) {
            deck = [...this.texts[kind]];
            for (let i = deck.length - 1; i > 0; i--) {
                const j = this.number(0, i);
                [deck[i], deck[j]] = [deck[j], deck[i]];
            }
            this.#decks.set(kind, deck);
        }
        return deck.pop();
    }

    title() { return escaped(this.#draw("title")); }
    say() { return escaped(this.#draw("say")); }
    ask() { return escaped(this.#draw("ask")); }
    person() { return escaped(this.#draw("person")); }
    place() { return escaped(this.#draw("place")); }
    product() { return escaped(this.#draw("product")); }
    greet(name) { return escaped(this.texts.greet[0]).replace("{name}", name); }
    bye() { return escaped(this.texts.bye[0]); }

    /** Sentences after one another. */
    paragraph(count = this.number(2, 4)) {
        return this.times(count, () => this.say()).join(["zh", "ja"].includes(this.tag) ? "" : " ");
    }

    times(count, make) {
        return Array.from({ length: count }, (_, i) => make(i));
    }

    label(key, values = {}) {
        let words = escaped(labels.get(key)[this.column]);
        for (const [name, value] of Object.entries(values)) words = words.replace(`{${name}}`, value);
        return words;
    }

    price(most = 240) {
        const amount = this.number(4, most) + this.pick(0, 0.5, 0.9, 0.99);
        return new Intl.NumberFormat(this.locale, { style: "currency", currency: this.currency }).format(amount);
    }

    date(style = "long") {
        const day = new Date(Date.UTC(2026, this.number(0, 11), this.number(1, 28)));
        return new Intl.DateTimeFormat(this.locale, { dateStyle: style, timeZone: "UTC" }).format(day);
    }

    time() {
        const at = new Date(Date.UTC(2026, 0, 1, this.number(6, 22), this.number(0, 11) * 5));
        return new Intl.DateTimeFormat(this.locale, { timeStyle: "short", timeZone: "UTC" }).format(at);
    }

    /** A lower-case word of Latin letters, as in addresses. */
    word(length) {
        const pairs = ["ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "ve"];
        return this.times(Math.ceil(length / 2), () => this.pick(...pairs)).join("").slice(0, length);
    }

    address(name = this.word(5)) {
        return `${name}@${this.host}`;
    }

    /** Characters that mean nothing, as in the addresses of trackers. */
    token(length) {
        const letters = "ABCDEFGHIJKLMNOPRSTUVWXYabcdefghijklmnoprstuvwxy0123456789_-";
        return this.times(length, () => letters[this.number(0, letters.length - 1)]).join("");
    }

    /** The address of a link as mail has it: of the firm, or by way of one of several trackers. */
    link(path = this.word(7)) {
        const target = `https://www.${this.host}/${path}`;
        const tagged = `${target}?utm_source=mail&utm_medium=email&utm_campaign=${this.word(8)}_${this.number(1, 12)}`;
        const url = this.pick(
            () => tagged,
            () => tagged,
            () => `https://click.${this.host}/?u=${encodeURIComponent(tagged)}&h=${this.token(24)}`,
            () => `https://track.${this.word(6)}-mail.example/CL0/${encodeURIComponent(target)}/1/${this.token(60)}`,
            () => `https://${this.host}/ls/click?upn=${this.token(this.number(90, 180))}`,
            () => `https://clicks.${this.word(5)}.example/f/a/${this.token(22)}~~/${this.token(70)}~`,
        )();
        return url.replaceAll("&", "&amp;");
    }

    /** The address of a picture. */
    picture(name = this.word(6)) {
        return `https://cdn.${this.host}/img/${this.token(16)}/${name}.${this.pick("png", "jpg", "gif")}`;
    }

    /** Words that nobody must see. */
    hidden(count = this.number(4, 9)) {
        return this.times(count, () => `${this.word(this.number(2, 4))}${planted}${this.word(this.number(2, 4))}`).join(" ");
    }
}
