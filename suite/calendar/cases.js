/**
 * The events that the readers must find. Rules that end begin next year, so that a feed has them whenever this runs.
 *
 * FIRST_YEAR in the environment has them begin in another year, to see whether a difference hangs on it.
 *
 * A case is {name, zone, start, end, rule?, exdates?, rdates?, all_day?, edits?, long?, from?, days?}: "from" is where readers
 * begin to look, "days" how far. An edit is {slot, patch?, mode?}; without a patch the date is cancelled. A "long" case is left
 * out of the short run.
 */
const year = Number(process.env.FIRST_YEAR ?? new Date().getUTCFullYear() + 1);
const newYork = "America/New_York";
const days = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
const pad = (number) => String(number).padStart(2, "0");

/** The n-th weekday of a month next year, or of years behind it, as a date. */
function nth(n, weekday, month, years = 0) {
    const first = new Date(Date.UTC(year + years, month - 1, 1)).getUTCDay();
    return `${year + years}-${pad(month)}-${pad(1 + ((days.indexOf(weekday) - first + 7) % 7) + 7 * (n - 1))}`;
}

const at = (date, time = "09:00:00", length = "01:00:00") => {
    const end = new Date(Date.parse(`${date}T${time}Z`) + Date.parse(`1970-01-01T${length}Z`));
    return { start: `${date}T${time}`, end: end.toISOString().slice(0, 19) };
};
const whole = (date, last = date) => ({ all_day: true, start: date, end: last });
const basic = (date) => date.replaceAll("-", "").replaceAll(":", "");
const slot = (date, time = "09:00:00") => `t${basic(date)}T${basic(time)}`;
const plus = (date, count) => new Date(Date.parse(`${date}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10);

/** The examples of RFC 5545 §3.8.5.3, from the first Tuesday of a September on. */
const tuesday = nth(1, "TU", 9);
const friday13 = (() => {
    for (let month = 1; ; month++) {
        const date = new Date(Date.UTC(year, month - 1, 13));
        if (date.getUTCDay() === 5) return date.toISOString().slice(0, 10);
    }
})();
const quadrennial = (() => {
    let from = year;
    while (from % 4 !== 0) from--;
    const first = new Date(Date.UTC(from, 10, 2));
    while (first.getUTCDay() !== 2) first.setUTCDate(first.getUTCDate() + 1);
    return first.toISOString().slice(0, 10);
})();
const examples = [
    ["daily for ten", at(tuesday), "FREQ=DAILY;COUNT=10"],
    ["daily until", at(tuesday), `FREQ=DAILY;UNTIL=${year}1224T000000Z`],
    ["every other day", at(tuesday), "FREQ=DAILY;INTERVAL=2"],
    ["every ten days", at(tuesday), "FREQ=DAILY;INTERVAL=10;COUNT=5"],
    ["each day in January, yearly", at(`${year}-01-01`), `FREQ=YEARLY;UNTIL=${year + 3}0131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA`],
    ["each day in January, daily", at(`${year}-01-01`), `FREQ=DAILY;UNTIL=${year + 3}0131T140000Z;BYMONTH=1`],
    ["weekly for ten", at(tuesday), "FREQ=WEEKLY;COUNT=10"],
    ["weekly until", at(tuesday), `FREQ=WEEKLY;UNTIL=${year}1224T000000Z`],
    ["every other week", at(tuesday), "FREQ=WEEKLY;INTERVAL=2;WKST=SU"],
    ["Tuesday and Thursday", at(tuesday), "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH"],
    ["Monday, Wednesday, Friday of every other week", at(nth(1, "MO", 9)), `FREQ=WEEKLY;INTERVAL=2;UNTIL=${year}1224T000000Z;WKST=SU;BYDAY=MO,WE,FR`],
    ["Tuesday and Thursday of every other week", at(tuesday), "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH"],
    ["first Friday", at(nth(1, "FR", 9)), "FREQ=MONTHLY;COUNT=10;BYDAY=1FR"],
    ["first Friday until", at(nth(1, "FR", 9)), `FREQ=MONTHLY;UNTIL=${year}1224T000000Z;BYDAY=1FR`],
    ["first and last Sunday of every other month", at(nth(1, "SU", 9)), "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU"],
    ["second-to-last Monday", at(lastWeekday("MO", 9, 1)), "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO"],
    ["third-to-last day", at(`${year}-09-28`), "FREQ=MONTHLY;BYMONTHDAY=-3"],
    ["second and fifteenth", at(`${year}-09-02`), "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15"],
    ["first and last day", at(`${year}-09-30`), "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1"],
    ["tenth to fifteenth of every 18 months", at(`${year}-09-10`), "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15"],
    ["every Tuesday of every other month", at(tuesday), "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU"],
    ["June and July", at(`${year}-06-10`), "FREQ=YEARLY;COUNT=10;BYMONTH=6,7"],
    ["January to March of every other year", at(`${year}-03-10`), "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3"],
    ["days of every third year", at(`${year}-01-01`), "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200"],
    ["twentieth Monday", at(nthOfYear(20, "MO")), "FREQ=YEARLY;BYDAY=20MO"],
    ["Monday of week 20", at(mondayOfWeek(20)), "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO"],
    ["Thursdays in March", at(nth(1, "TH", 3)), "FREQ=YEARLY;BYMONTH=3;BYDAY=TH"],
    ["Thursdays from June to August", at(nth(1, "TH", 6)), "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8"],
    ["Friday the 13th", at(friday13), "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13"],
    ["first Saturday behind the first Sunday", at(plus(nth(1, "SU", 9), 6)), "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13"],
    ["election day", at(quadrennial), "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8"],
    ["third of Tuesday, Wednesday, Thursday", at(thirdOf(["TU", "WE", "TH"], 9)), "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3"],
    ["second-to-last working day", at(workdayFromEnd(9, 2)), "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2"],
    ["every three hours", at(tuesday, "09:00:00", "00:30:00"), `FREQ=HOURLY;INTERVAL=3;UNTIL=${basic(tuesday)}T210000Z`],
    ["every 15 minutes for six", at(tuesday, "09:00:00", "00:05:00"), "FREQ=MINUTELY;INTERVAL=15;COUNT=6"],
    ["every hour and a half for four", at(tuesday, "09:00:00", "00:30:00"), "FREQ=MINUTELY;INTERVAL=90;COUNT=4"],
    ["four times a day", at(tuesday, "09:00:00", "00:10:00"), "FREQ=DAILY;BYHOUR=9,11,13,15;BYMINUTE=0,40"],
    ["Tuesday and Sunday, weeks from Monday", at(nth(1, "TU", 8)), "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO"],
    ["Tuesday and Sunday, weeks from Sunday", at(nth(1, "TU", 8)), "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU"],
    ["15th and 30th", at(`${year}-01-15`), "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5"],
].map(([name, time, rule], index) => ({ name: `RFC 5545: ${name}`, zone: newYork, ...time, rule, long: index % 3 !== 0 }));

function lastWeekday(weekday, month, before = 0) {
    const last = new Date(Date.UTC(year, month, 0));
    while (last.getUTCDay() !== days.indexOf(weekday)) last.setUTCDate(last.getUTCDate() - 1);
    return plus(last.toISOString().slice(0, 10), -7 * before);
}

function nthOfYear(n, weekday) {
    return plus(nth(1, weekday, 1), 7 * (n - 1));
}

/** The Monday of a week next year, of weeks that begin so many days before Monday. */
function mondayOfWeek(week, before = 0) {
    const fourth = `${year}-01-04`;
    const weekday = (new Date(`${fourth}T00:00:00Z`).getUTCDay() + 6 + before) % 7;
    return plus(fourth, 7 * (week - 1) - weekday + before);
}

function thirdOf(weekdays, month) {
    const found = [];
    for (let day = `${year}-${pad(month)}-01`; found.length < 3; day = plus(day, 1)) {
        if (weekdays.includes(days[new Date(`${day}T00:00:00Z`).getUTCDay()])) found.push(day);
    }
    return found[2];
}

function workdayFromEnd(month, n) {
    let day = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
    for (let left = n; ; day = plus(day, -1)) {
        const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
        if (weekday !== 0 && weekday !== 6 && --left === 0) return day;
    }
}

/** Rules that examples leave out. */
const rules = [
    ["days at the ends of months", at(`${year}-01-31`), "FREQ=MONTHLY;COUNT=12"],
    ["29 February", at(`${leap()}-02-29`), "FREQ=YEARLY", { days: 366 * 9 }],
    ["week 53", at(weekdayOfWeek53()), "FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO", { days: 366 * 9 }],
    ["a week without a day", at(mondayOfWeek(30)), "FREQ=YEARLY;BYWEEKNO=30;COUNT=3"],
    ["week 1 and the last", at(mondayOfWeek(1)), "FREQ=YEARLY;BYWEEKNO=1,-1;BYDAY=MO;COUNT=8"],
    ["COUNT with weeks", at(mondayOfWeek(10)), "FREQ=YEARLY;COUNT=7;BYWEEKNO=10,20,30;BYDAY=MO,FR"],
    ["weeks of every other year", at(mondayOfWeek(20)), "FREQ=YEARLY;INTERVAL=2;BYWEEKNO=20;BYDAY=MO;COUNT=4", { days: 366 * 8 }],
    ["weeks from Sunday", at(mondayOfWeek(20, 1)), "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;WKST=SU;COUNT=4", { long: true }],
    ["last day of the year", at(`${year}-12-31`), "FREQ=YEARLY;BYYEARDAY=-1;COUNT=5"],
    ["days of the year and of the week", at(nth(1, "MO", 1)), "FREQ=YEARLY;BYDAY=MO;BYYEARDAY=1,2,3,4,5,6,7;COUNT=5", { days: 366 * 6 }],
    ["last working day of a quarter", at(workdayFromEnd(3, 1)), "FREQ=MONTHLY;INTERVAL=3;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=8"],
    ["first and last working hour", at(tuesday, "08:00:00", "00:30:00"), "FREQ=DAILY;BYHOUR=8,10,12,16;BYSETPOS=1,-1;COUNT=20"],
    ["first weekend day of a year", at([nth(1, "SA", 1), nth(1, "SU", 1)].sort()[0]), "FREQ=YEARLY;BYDAY=SA,SU;BYSETPOS=1;COUNT=5"],
    ["BYSETPOS from the middle of a month", at(`${year}-06-15`), "FREQ=MONTHLY;BYMONTHDAY=5,15,25;BYSETPOS=2,3;COUNT=9"],
    ["BYSETPOS in a week", at(nth(2, "WE", 6)), "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=2;COUNT=6"],
    ["the day of a month that few have", at(`${year}-01-31`), "FREQ=MONTHLY;BYMONTHDAY=31,-31;COUNT=9"],
    ["BYMONTHDAY without a month, yearly", at(`${year}-01-13`), "FREQ=YEARLY;BYMONTHDAY=13;COUNT=14", { long: true }],
    ["fifth Monday", at(fifth("MO")), "FREQ=MONTHLY;BYDAY=5MO;COUNT=5"],
    ["BYMONTH with numbered days, yearly", at(nth(2, "SU", 5)), "FREQ=YEARLY;BYMONTH=5;BYDAY=2SU;COUNT=4"],
    ["BYMONTH limits a week", at(nth(1, "MO", 2)), "FREQ=WEEKLY;BYMONTH=2,8;BYDAY=MO;COUNT=12"],
    ["hours over several days", at(tuesday, "00:00:00", "00:20:00"), "FREQ=HOURLY;INTERVAL=7;COUNT=40"],
    ["hours of some days", at(tuesday, "09:00:00", "00:20:00"), "FREQ=HOURLY;BYDAY=TU;BYHOUR=9,10;COUNT=12", { long: true }],
    ["minutes of some hours", at(tuesday, "09:00:00", "00:01:00"), "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,17;COUNT=18", { long: true }],
    ["seconds", at(tuesday, "09:00:00", "00:00:05"), "FREQ=SECONDLY;INTERVAL=300;COUNT=30", { long: true }],
    ["UNTIL at a date exactly", at(tuesday), `FREQ=DAILY;UNTIL=${basic(plus(tuesday, 5))}T130000Z`],
    ["UNTIL a second before a date", at(tuesday), `FREQ=DAILY;UNTIL=${basic(plus(tuesday, 5))}T125959Z`],
    ["ends on no Monday", at(nth(1, "MO", 1)), `FREQ=MONTHLY;BYDAY=MO;UNTIL=${year}0630T235959Z`],
    ["three weeks from Thursday", at(nth(1, "TH", 4)), "FREQ=WEEKLY;INTERVAL=3;BYDAY=TH,MO;WKST=TH;COUNT=9"],
].map(([name, time, rule, more]) => ({ name, zone: newYork, ...time, rule, ...more }));

function leap() {
    let found = year;
    while (found % 4 !== 0) found--;
    return found;
}

/** The Monday of a week 53: of the last year that had one. */
function weekdayOfWeek53() {
    const monday = (each, month, day) => {
        const date = new Date(Date.UTC(each, month, day));
        return date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
    };
    let each = year;
    while ((monday(each, 11, 28) - monday(each, 0, 4)) / 604_800_000 !== 52) each--;
    return new Date(monday(each, 11, 28)).toISOString().slice(0, 10);
}

function fifth(weekday) {
    for (let month = 1; ; month++) {
        const day = nth(5, weekday, month);
        if (Number(day.slice(5, 7)) === month && day.slice(8) > "28" && Number(day.slice(8)) <= new Date(Date.UTC(year, month, 0)).getUTCDate()) return day;
    }
}

/** What clocks do: gaps, overlaps, days without a midnight, changes that no rule tells, half an hour. */
const spring = nth(2, "SU", 3);
const autumn = nth(1, "SU", 11);
const clocks = [
    { name: "through a year", zone: "Europe/Berlin", ...at(`${year}-01-01`), rule: "FREQ=WEEKLY" },
    { name: "in a gap", zone: newYork, ...at(plus(spring, -3), "02:30:00", "00:20:00"), rule: "FREQ=DAILY;COUNT=8" },
    { name: "in an overlap", zone: newYork, ...at(plus(autumn, -3), "01:30:00", "00:20:00"), rule: "FREQ=DAILY;COUNT=8" },
    { name: "nights through a gap", zone: newYork, ...at(plus(spring, -3), "23:00:00", "07:00:00"), rule: "FREQ=DAILY;COUNT=6" },
    { name: "hours through a gap", zone: newYork, ...at(plus(spring, -1), "20:00:00", "00:20:00"), rule: "FREQ=HOURLY;COUNT=12" },
    { name: "hours through an overlap", zone: newYork, ...at(plus(autumn, -1), "20:00:00", "00:20:00"), rule: "FREQ=HOURLY;COUNT=12" },
    { name: "half an hour", zone: "Australia/Lord_Howe", ...at(`${year}-03-25`, "01:45:00", "00:10:00"), rule: "FREQ=DAILY;COUNT=20" },
    { name: "half an hour in spring", zone: "Australia/Lord_Howe", ...at(`${year}-09-25`, "02:15:00", "00:10:00"), rule: "FREQ=DAILY;COUNT=20" },
    { name: "a day that was left out", zone: "Pacific/Apia", ...at("2011-12-25"), rule: "FREQ=DAILY", from: "2011-12-20", days: 30 },
    { name: "from before a day that was left out", zone: "Pacific/Apia", ...at("2011-12-05"), rule: "FREQ=WEEKLY", from: `${year}-01-01`, days: 300 },
    { name: "Ramadan", zone: "Africa/Casablanca", ...at(`${year}-01-03`), rule: "FREQ=WEEKLY" },
    { name: "years of Ramadan", zone: "Africa/Casablanca", ...at(`${year - 3}-01-03`), rule: "FREQ=WEEKLY", from: `${year - 3}-01-01`, days: 366 * 3, long: true },
    { name: "a summer that was given up", zone: "America/Sao_Paulo", ...at("2015-01-05"), rule: "FREQ=WEEKLY", from: "2015-01-01", days: 366 * 6 },
    { name: "days without a midnight", zone: "America/Sao_Paulo", ...at("2017-10-01", "00:00:00", "00:30:00"), rule: "FREQ=WEEKLY;BYDAY=SU", from: "2017-09-01", days: 90 },
    { name: "rules from 1970 on", zone: newYork, ...at("1970-01-05"), rule: "FREQ=WEEKLY", from: "1974-01-01", days: 366, long: true },
    { name: "rules from 1925 on", zone: newYork, ...at("1925-01-05"), rule: "FREQ=WEEKLY", from: "1990-01-01", days: 366 },
    { name: "a zone without changes", zone: "Asia/Kolkata", ...at(tuesday), rule: "FREQ=DAILY;COUNT=5" },
    { name: "far from UTC", zone: "Pacific/Kiritimati", ...at(tuesday, "00:30:00"), rule: `FREQ=DAILY;UNTIL=${basic(plus(tuesday, 4))}T103000Z` },
    { name: "summer is the other time", zone: "Europe/Dublin", ...at(`${year}-01-05`), rule: "FREQ=WEEKLY" },
    { name: "an alias", zone: "US/Pacific", ...at(`${year}-01-05`), rule: "FREQ=WEEKLY" },
    { name: "UTC", zone: "UTC", ...at(tuesday), rule: "FREQ=DAILY;COUNT=5" },
    { name: "once in a gap", zone: newYork, ...at(spring, "02:30:00", "01:00:00") },
    { name: "once in an overlap", zone: newYork, ...at(autumn, "01:30:00", "00:20:00") },
];

/** All-day events, dates beside the rule, and edits of dates. */
const first = nth(1, "MO", 6);
const soon = plus(new Date().toISOString().slice(0, 10), -40);
const edited = [
    { name: "a day", zone: newYork, ...whole(first) },
    { name: "days over a change of clocks", zone: newYork, ...whole(plus(spring, -1), plus(spring, 1)) },
    { name: "days of every week", zone: "Europe/Berlin", ...whole(first, plus(first, 1)), rule: "FREQ=WEEKLY;COUNT=6" },
    { name: "days until", zone: "Pacific/Apia", ...whole(first), rule: `FREQ=WEEKLY;UNTIL=${basic(plus(first, 28))}` },
    { name: "days with exdates and rdates", zone: newYork, ...whole(first), rule: "FREQ=WEEKLY;COUNT=4", exdates: [plus(first, 7)], rdates: [plus(first, 3)] },
    { name: "birthdays", zone: "America/Sao_Paulo", ...whole("1990-06-10"), rule: "FREQ=YEARLY" },
    { name: "exdates", zone: "Europe/Berlin", ...at(first), rule: "FREQ=DAILY;COUNT=9", exdates: [`${plus(first, 1)}T09:00:00`, `${plus(first, 8)}T09:00:00`] },
    { name: "exdate of the start", zone: "Europe/Berlin", ...at(first), rule: "FREQ=DAILY;COUNT=4", exdates: [`${first}T09:00:00`] },
    { name: "rdates", zone: newYork, ...at(first), rule: "FREQ=WEEKLY;COUNT=3", rdates: [`${plus(first, 2)}T12:00:00`, `${plus(first, -30)}T08:00:00`] },
    { name: "rdates with lengths", zone: newYork, ...at(first), rule: "FREQ=WEEKLY;COUNT=3",
        rdates: [{ start: `${plus(first, 2)}T12:00:00`, duration: "PT3H" }, { start: `${plus(first, 3)}T12:00:00`, end: `${plus(first, 3)}T12:15:00` }] },
    { name: "moved", zone: newYork, ...at(first), rule: "FREQ=DAILY;COUNT=5", edits: [
        { slot: slot(plus(first, 1)), patch: { start: `${plus(first, 1)}T15:00:00`, end: `${plus(first, 1)}T17:00:00` } },
        { slot: slot(plus(first, 2)), patch: { start: `${plus(first, 40)}T15:00:00`, end: `${plus(first, 40)}T17:00:00`, title: "Late" } }] },
    { name: "cancelled", zone: newYork, ...at(first), rule: "FREQ=DAILY;COUNT=5", edits: [
        { slot: slot(first) }, { slot: slot(plus(first, 3)), patch: { status: "cancelled" } }] },
    { name: "moved onto another date", zone: newYork, ...at(first), rule: "FREQ=DAILY;COUNT=5", edits: [
        { slot: slot(plus(first, 1)), patch: { start: `${plus(first, 2)}T09:00:00`, end: `${plus(first, 2)}T10:00:00` } }] },
    { name: "moved into a gap", zone: newYork, ...at(plus(spring, -7), "12:00:00"), rule: "FREQ=DAILY;COUNT=14", edits: [
        { slot: slot(spring, "12:00:00"), patch: { start: `${spring}T02:30:00`, end: `${spring}T03:30:00` } }] },
    { name: "those that follow", zone: "Europe/Berlin", ...at(first), rule: "FREQ=DAILY;COUNT=20", edits: [
        { slot: slot(plus(first, 5)), mode: "future", patch: { title: "Second half" } },
        { slot: slot(plus(first, 7)), patch: { title: "One of them" } },
        { slot: slot(plus(first, 8)) },
        { slot: slot(plus(first, 10)), mode: "future", patch: { location: "There", end: `${plus(first, 10)}T11:30:00` } }] },
    { name: "those that follow, every other week", zone: newYork, ...at(nth(1, "TU", 2)), rule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=MO;COUNT=30", edits: [
        { slot: slot(plus(nth(1, "TU", 2), 19)), mode: "future", patch: { title: "From a Sunday on" } }] },
    { name: "those that follow, by BYSETPOS", zone: newYork, ...at(`${year}-06-15`), rule: "FREQ=MONTHLY;BYMONTHDAY=5,15,25;BYSETPOS=2,3;COUNT=9", edits: [
        { slot: slot(`${year}-07-25`), mode: "future", patch: { title: "From a 25th on" } }] },
    { name: "ended", zone: newYork, ...at(first), rule: "FREQ=DAILY;COUNT=30", edits: [{ slot: slot(plus(first, 9)), mode: "future" }] },
    { name: "ended days", zone: newYork, ...whole(first), rule: "FREQ=DAILY", edits: [{ slot: `d${basic(plus(first, 9))}`, mode: "future" }] },
    { name: "renamed while it goes on", zone: newYork, ...at(soon), rule: "FREQ=DAILY", from: plus(soon, -5), days: 90,
        edits: [{ patch: { title: "New name" } }] },
    { name: "moved while it goes on", zone: newYork, ...at(soon), rule: "FREQ=WEEKLY", from: plus(soon, -5), days: 90,
        edits: [{ patch: { start: `${plus(soon, 1)}T11:00:00`, end: `${plus(soon, 1)}T12:30:00` } }] },
    { name: "another rule while it goes on", zone: "Europe/Berlin", ...at(soon), rule: "FREQ=DAILY;COUNT=100", from: plus(soon, -5), days: 90,
        edits: [{ patch: { recurrence: { rule: "FREQ=DAILY;INTERVAL=3" } } }, { patch: { title: "Again" } }] },
    { name: "days, renamed while they go on", zone: "Pacific/Auckland", ...whole(soon), rule: "FREQ=DAILY", from: plus(soon, -5), days: 90,
        edits: [{ patch: { title: "New name" } }] },
];

const all = [...examples, ...rules, ...clocks, ...edited];
if (new Set(all.map((each) => each.name)).size !== all.length) throw new Error("two cases have one name");

/** The cases of a run, short unless everything is to run. */
export const cases = all.filter((each) => process.env.TEST_EVERYTHING || !each.long);
