// Where mail is from, as inboxd and npm's mailauth find out: SPF, DKIM, ARC and DMARC over the cases of the folders named
// as arguments, one that is of the project and one of others, which may be absent. Ends with "N passed, M failed".
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { arc } from "mailauth/lib/arc/index.js";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { evaluateDmarc } from "mailauth/lib/dmarc/index.js";
import { spf } from "mailauth/lib/spf/index.js";
import YAML from "yaml";

const [own, others, work, ...java] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const known = readFileSync(join(here, "known-origins.txt"), "utf8").split("\n").filter((line) => line && !line.startsWith("#"))
    .map((line) => { const [name, ...reason] = line.split(/ +/); return { name, reason: reason.join(" "), used: false }; });

// --- cases

const cases = [];
const crlf = (text) => Buffer.from(text.replace(/\r\n/g, "\n").replace(/\n/g, "\r\n"), "latin1").toString("base64");
const nothing = { ip: "192.0.2.1", helo: "helo.test", sender: "jo@nobody.test", from: "nobody.test", now: 1700000000, zone: {} };

function add(name, details) {
    cases.push({ ...nothing, message: crlf("From: jo@nobody.test\n\nHello.\n"), ...details, name });
}

/** Makes a name and those above it exist. */
function put(zone, name, type, values) {
    const bare = name.toLowerCase().replace(/\.$/, "");
    if (type) zone[`${bare} ${type}`] = values;
    for (let rest = bare; rest; rest = rest.includes(".") ? rest.slice(rest.indexOf(".") + 1) : "") zone[`${rest} *`] = [];
}

/** A zone as the test suite of SPF writes it. */
function zoneOf(zonedata) {
    const zone = {};
    for (const [name, records] of Object.entries(zonedata)) {
        put(zone, name);
        const texts = records.some((record) => record.TXT !== undefined);
        const values = {};
        for (const record of records) {
            if (typeof record !== "object") continue;
            const [[type, value]] = Object.entries(record);
            if (value === "NONE" || (type === "SPF" && texts)) continue;
            (values[type === "SPF" ? "TXT" : type] ??= []).push(type === "MX" ? value : [].concat(value).join(""));
        }
        values.MX = values.MX?.sort(([a], [b]) => a - b).map(([, host]) => host).filter(Boolean);
        for (const type of ["TXT", "A", "AAAA", "MX", "PTR"]) {
            if (values[type]) put(zone, name, type, values[type]);
            else if (records.includes("TIMEOUT")) put(zone, name, type, null);
        }
    }
    return zone;
}

function documents(file) {
    // "|" before nothing but blanks is not YAML, and one name stands twice.
    const text = readFileSync(file, "utf8").replace(/\|\n[ \n]+\n/g, "''\n");
    return YAML.parseAllDocuments(text, { uniqueKeys: false }).map((document) => document.toJS()).filter(Boolean);
}

function addSpf(folder, file) {
    for (const { tests, zonedata } of documents(file)) {
        const zone = zoneOf(zonedata);
        for (const [name, { helo, host, mailfrom }] of Object.entries(tests)) {
            add(`spf/${folder}/${name}`, { ip: String(host), helo: String(helo), sender: mailfrom ?? "", zone });
        }
    }
}

function addArc(file) {
    for (const { tests, "txt-records": texts } of documents(file)) {
        const zone = {};
        Object.entries(texts).forEach(([name, text]) => put(zone, name, "TXT", [text]));
        Object.entries(tests).forEach(([name, { message }]) => add(`arc/${name}`, { message: crlf(message), zone }));
    }
}

function addDkim(folder, path) {
    for (const file of readdirSync(path).sort()) {
        const text = readFileSync(join(path, file), "latin1").replace(/\r\n/g, "\n");
        const end = text.indexOf("\n\n");
        const zone = {};
        for (const line of text.slice(0, end).split("\n")) put(zone, line.slice(0, line.indexOf(" ")), "TXT", [line.slice(line.indexOf(" ") + 1)]);
        const message = text.slice(end + 2);
        const from = /^From:.*@([\w.-]+)/m.exec(message)[1];
        put(zone, `_dmarc.${from}`, "TXT", ["v=DMARC1; p=reject"]);
        const details = { message: crlf(message), zone, from, now: 1667433600 };
        add(`dkim/${folder}/${file}`, details);
        add(`dkim/${folder}/${file}-body`, { ...details, message: crlf(message + "More.\n") });
        add(`dkim/${folder}/${file}-subject`, { ...details, message: crlf(message.replace(/^Subject: /m, "Subject: Fwd: ")) });
        add(`dkim/${folder}/${file}-second-subject`, { ...details, message: crlf(message.replace(/^Subject: /m, "Subject: Free\nSubject: ")) });
    }
}

function addDmarc() {
    const records = ["p=reject", "p=quarantine; t=y", "p=none; sp=reject", "p=none; np=reject", "p=reject; adkim=s; aspf=s",
        "p=nonsense", "p=nonsense; rua=mailto:a@b.test", "sp=reject", "p=reject; psd=y", "p=reject; psd=n", "p=reject; t=n; pct=0"];
    for (const record of records) {
        for (const at of ["example.test", "mail.example.test", "test"]) {
            for (const from of ["example.test", "mail.example.test", "a.mail.example.test", "a.b.c.d.e.f.g.h.example.test"]) {
                for (const sender of ["example.test", "mail.example.test", "other.example.test", "example.org"]) {
                    const zone = {};
                    put(zone, `_dmarc.${at}`, "TXT", [`v=DMARC1; ${record}`]);
                    put(zone, sender, "TXT", ["v=spf1 ip4:192.0.2.1 -all"]);
                    put(zone, "mail.example.test", "A", ["192.0.2.9"]);
                    add(`dmarc/${record.replace(/; /g, ",")}@${at}/${from}/${sender}`,
                        { zone, from, sender: `jo@${sender}`, message: crlf(`From: jo@${from}\n\nHello.\n`) });
                }
            }
        }
    }
}

addSpf("own", join(own, "spf.yml"));
addDkim("own", join(own, "dkim"));
addDmarc();
if (existsSync(others)) {
    addSpf("others", join(others, "spf/rfc7208-tests.yml"));
    addArc(join(others, "arc/arc-draft-validation-tests.yml"));
    addDkim("others", join(others, "auth/dkim"));
} else {
    console.log(`origins: the cases of others are not at ${others}; those of the project ran alone`);
}

// --- both

function resolverOf(zone) {
    return async (name, type) => {
        const bare = name.toLowerCase().replace(/\.$/, "");
        const values = zone[`${bare} ${type}`];
        const failure = (code) => Object.assign(new Error(code), { code });
        if (values === null) throw failure("ETIMEOUT");
        if (!values?.length) throw failure(zone[`${bare} *`] ? "ENODATA" : "ENOTFOUND");
        if (type === "TXT") return values.map((value) => [value]);
        return type === "MX" ? values.map((exchange, priority) => ({ exchange, priority })) : values;
    };
}

async function theirs(one) {
    const resolver = resolverOf(one.zone);
    const dkim = await dkimVerify(Buffer.from(one.message, "base64"), { resolver, strict: true, curTime: new Date(one.now * 1000) });
    const sent = await spf({ resolver, sender: one.sender, ip: one.ip, helo: one.helo, mta: "mx.test", strict: true });
    const chain = await arc(dkim.arc, { resolver, strict: true });
    const { response } = await evaluateDmarc({
        headerFrom: dkim.headerFrom, fromFields: dkim.fromFields, resolver, strict: true,
        spfDomains: sent.status.result === "pass" ? [sent.domain] : [],
        dkimDomains: dkim.results.filter((row) => row.status.result === "pass")
            .map((row) => ({ id: row.id, domain: row.signingDomain, aligned: row.status.aligned, underSized: row.status.underSized })),
    });
    return {
        spf: sent.status.result, dkim: dkim.results.map((row) => row.status.result), arc: chain?.status?.result ?? "none",
        dmarc: response?.status?.result ?? "none", policy: response?.policy ?? "", testing: response?.testing,
    };
}

/** What follows from a result: whether it counts, and whether it may be another another time. */
const weight = (result) => (["pass", "temperror"].includes(result) ? result : "none-of-them");
const milder = { reject: "quarantine", quarantine: "none", none: "none" };

function difference(mine, other, kind) {
    const found = [];
    if (kind === "spf" && mine.spf !== other.spf) found.push(`spf=${mine.spf}, and ${other.spf}`);
    if (kind === "dkim" && mine.dkim.map(weight).join() !== other.dkim.filter((result) => result !== "none").map(weight).join()) found.push(`dkim=${mine.dkim}, and ${other.dkim}`);
    if (kind === "arc" && mine.arc !== other.arc) found.push(`arc=${mine.arc}, and ${other.arc}`);
    if (kind === "dkim" || kind === "dmarc") {
        if (mine.dmarc !== other.dmarc) found.push(`dmarc=${mine.dmarc}, and ${other.dmarc}`);
        else if (mine.dmarc === "fail" && mine.policy !== (other.testing ? milder[other.policy] : other.policy)) found.push(`policy=${mine.policy}, and ${other.policy}`);
    }
    return found.join("; ");
}

writeFileSync(work, cases.map((one) => JSON.stringify(one)).join("\n"));
const ran = spawnSync(java[0], [...java.slice(1), "Origins", work], { encoding: "utf8", maxBuffer: 1 << 28 });
const ours = ran.stdout.trim().split("\n").map((line) => JSON.parse(line));
let failed = 0;
let explained = 0;
for (const [index, one] of cases.entries()) {
    const other = await theirs(one);
    const differs = difference(ours[index], other, one.name.split("/")[0]);
    const reason = differs && known.find(({ name }) => new RegExp(`^${name.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace(/\*/g, ".*")}$`).test(one.name));
    if (reason) {
        reason.used = true;
        explained++;
    } else if (differs) {
        failed++;
        console.log(`origins: ${one.name}: inboxd says ${differs}`);
    }
}
console.log(`origins: ${cases.length} cases, ${cases.length - failed - explained} judged alike, ${explained} differ for a known reason`);
for (const { name, used } of known) {
    if (!used && (existsSync(others) || !/others|arc\//.test(name))) {
        failed++;
        console.log(`origins: known-origins.txt: nothing differs any more in ${name}`);
    }
}
console.log(`${cases.length - failed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
