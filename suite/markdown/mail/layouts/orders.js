import { button, columns, facts, footer, header, heading, paragraph, picture, row, spacer, textStyle } from "../blocks.js";
import { newsletter, notice } from "../frames.js";

const number = (w) => `${w.word(2).toUpperCase()}-${w.number(10000, 99999)}-${w.number(10, 99)}`;
const sums = (w) => ["subtotal", "shipping", "tax", "total"].map((key) => [w.label(key), w.price()]);

function itemTable(w, count = w.number(2, 5)) {
    const cell = `style="border:1px solid #dddddd;padding:8px;${textStyle(w, 14)}"`;
    const items = w.times(count, () => [w.product(), w.number(1, 6), w.price(), w.price()]);
    const head = ["item", "quantity", "price", "total"].map((key) => w.label(key));
    const ends = sums(w).map(([key, value], i) => i === 3 ? [`<strong>${key}</strong>`, `<strong>${value}</strong>`] : [key, value]);
    return `<table class="data" cellspacing="0" cellpadding="6" border="1" width="100%" style="border-collapse:collapse;width:100%;${textStyle(w, 14)}">
${w.chance(0.4) ? `<caption>${w.label("order")} ${number(w)}</caption>` : ""}<thead><tr>${head.map((key) => `<th scope="col" ${cell}>${key}</th>`).join("")}</tr></thead>
<tbody>${items.map((item) => `<tr>${item.map((value) => `<td ${cell}>${value}</td>`).join("")}</tr>`).join("\n")}</tbody>
<tfoot>${ends.map(([key, value]) => `<tr><th scope="row" colspan="3" ${cell}>${key}:</th><td ${cell}><span class="woo-amount">${value}</span></td></tr>`).join("\n")}</tfoot></table>`;
}

const address = (w, key) => `<p style="${textStyle(w, 14)}"><strong>${w.label(key)}</strong></p><address style="padding:12px;border:1px solid #e5e5e5;${textStyle(w, 14)}font-style:normal">${w.person()}<br>${w.place()}<br/><a href="tel:+4930${w.number(100000, 999999)}">+49 30 ${w.number(100, 999)} ${w.number(100, 999)}</a><br/><a href="mailto:${w.address()}">${w.address()}</a></address>`;

export const orders = {
    "order-table": (w) => newsletter(w, [header(w), row(w, heading(w, w.title(), 1) + `<p style="${textStyle(w)}">${w.greet(w.person())}</p>` + paragraph(w, w.paragraph(2))),
        row(w, `<h2 style="color:#7f54b3;display:block;${textStyle(w, 18)}">[${w.label("order")} #${w.number(1000, 99999)}] (${w.date()})</h2>${itemTable(w)}`),
        row(w, `<table id="addresses" cellspacing="0" cellpadding="0" border="0" style="width:100%;vertical-align:top" width="100%"><tr><td valign="top" width="50%" style="padding:0;border:0">${address(w, "from")}</td><td valign="top" width="50%" style="padding:0">${address(w, "to")}</td></tr></table>`),
        row(w, paragraph(w, w.say())), footer(w)]),

    "order-pictures": (w) => newsletter(w, [header(w), row(w, heading(w, w.title(), 2) + paragraph(w)),
        row(w, facts(w, [[w.label("order"), number(w)], [w.label("date"), w.date()], [w.label("paid"), `Visa **** ${w.number(1000, 9999)}`]])),
        ...w.times(w.number(2, 4), () => row(w, `<table width="100%" cellspacing="0" cellpadding="0" border="0" style="border-bottom:1px solid #eee"><tr><td width="90" rowspan="2" valign="top">${picture(w, w.chance(0.5) ? w.product() : "", 80)}</td><td style="${textStyle(w)}"><b>${w.product()}</b></td><td align="right" rowspan="2" valign="top" style="${textStyle(w)}">${w.price()}</td></tr><tr><td style="${textStyle(w, 13, "#777777")}">${w.label("quantity")} ${w.number(1, 5)} &times; ${w.price()}</td></tr></table>`)),
        row(w, `<table align="right" width="60%" cellspacing="0" cellpadding="4" role="presentation">${sums(w).map(([key, value], i) => `<tr><td style="${textStyle(w)}">${key}</td><td align="right" style="${textStyle(w)}${i === 3 ? "font-weight:bold" : ""}">${value}</td></tr>`).join("")}</table><div style="clear:both"></div>`),
        row(w, button(w, w.label("order"))), footer(w)]),

    "shipping": (w) => newsletter(w, [header(w), row(w, heading(w, w.title(), 1) + paragraph(w, w.paragraph(2))),
        row(w, `<table width="100%" role="presentation" style="table-layout:fixed"><tr>${["order", "sent", "arrives"].map((key, i) => `<td align="center"><div style="height:6px;line-height:6px;font-size:6px;background:${i < 2 ? "#1b5e20" : "#dddddd"}">&nbsp;</div><span style="${textStyle(w, 12)}${i < 2 ? "font-weight:bold" : "color:#999"}">${w.label(key)}</span></td>`).join("")}</tr></table>`),
        row(w, facts(w, [[w.label("track"), `<a href="${w.link("track")}" style="color:#0b5cad">1Z${w.number(100000, 999999)}${w.number(100000, 999999)}</a>`], [w.label("arrives"), `<b>${w.date("full")}</b>`], [w.label("to"), `${w.person()}<br>${w.place()}`]])),
        row(w, button(w, w.label("track"))), row(w, picture(w, "")), footer(w)]),

    "receipt-short": (w) => notice(w, [`<h1 style="font-size:20px">${w.firm}</h1><p class="muted">${w.date()} &middot; #${number(w)}</p>`,
        `<table width="100%" cellpadding="0" cellspacing="0">${w.times(w.number(2, 4), () => `<tr><td style="padding:8px 0;border-bottom:1px solid #eee">${w.product()}</td><td align="right" style="padding:8px 0;border-bottom:1px solid #eee">${w.price()}</td></tr>`).join("\n")}<tr><td style="padding-top:12px"><strong>${w.label("total")}</strong></td><td align="right" style="padding-top:12px"><strong>${w.price()}</strong></td></tr></table>`,
        `<p>${w.say()}</p><p><a class="btn" href="${w.link("pdf")}">${w.label("download")}</a></p><p class="muted">${w.say()} <a href="${w.link("help")}">${w.label("help")}</a></p>`]),

    "receipt-ride": (w) => newsletter(w, [
        `<tr><td bgcolor="#000000" style="padding:24px;background-color:#000000"><table width="100%" cellpadding="0" cellspacing="0"><tr><td><img src="${w.picture("logo")}" alt="${w.firm}" width="60"></td><td align="right" style="${textStyle(w, 14, "#ffffff")}">${w.date()}<br>${w.time()}</td></tr></table><h1 style="${textStyle(w, 34, "#ffffff")}">${w.title()}</h1></td></tr>`,
        row(w, `<table width="100%" border="0" cellpadding="0" cellspacing="0"><tr><td style="${textStyle(w, 28)}font-weight:500">${w.label("total")}</td><td align="right" style="${textStyle(w, 28)}white-space:nowrap">${w.price()}</td></tr></table>`),
        spacer(w),
        row(w, `<table width="100%" border="0" cellpadding="0" cellspacing="0">${sums(w).slice(0, 3).map(([key, value]) => `<tr><td style="padding:6px 0;${textStyle(w)}">${key}</td><td align="right" style="padding:6px 0;${textStyle(w)}">${value}</td></tr>`).join("")}</table>`),
        row(w, `<table border="0" cellpadding="0" cellspacing="0"><tr><td width="20" valign="top"><img src="${w.picture("dot")}" width="8" height="60" alt=""></td><td><div style="${textStyle(w)}">${w.time()} <span style="color:#777">${w.place()}</span></div><div style="${textStyle(w)}padding-top:20px">${w.time()} <span style="color:#777">${w.place()}</span></div></td></tr></table>`),
        row(w, columns(w, [picture(w, w.person(), 48), `<p style="${textStyle(w)}">${w.person()}<br>4,${w.number(1, 9)} ★</p>`])), footer(w)]),

    "invoice-ruled": (w) => notice(w, [`<table width="100%"><tr><td>${picture(w, w.firm, 120)}</td><td align="right"><h2 style="margin:0">${w.label("invoice")}</h2>${number(w)}</td></tr></table>`,
        `<table class="facts"><tr><td>${w.label("customer")}</td><td>${w.person()}<br>${w.place()}</td></tr><tr><td>${w.label("date")}</td><td>${w.date()}</td></tr><tr><td>${w.label("due")}</td><td>${w.date()}</td></tr></table>`,
        itemTable(w, w.number(3, 8)), `<p>${w.say()}</p><p class="muted">IBAN DE${w.number(10, 99)} ${w.number(1000, 9999)} ${w.number(1000, 9999)} ${w.number(1000, 9999)} ${w.number(10, 99)}<br>BIC ${w.word(8).toUpperCase()}</p>`],
    `table.data th{background:#f2f2f2;text-align:left}`),

    "invoice-bare": (w) => notice(w, [`<p>${w.greet(w.person())}</p><p>${w.say()}</p>`,
        `<table cellspacing="0" style="width:100%"><tr><td><b>${w.label("description")}</b></td><td><b>${w.label("quantity")}</b></td><td><b>${w.label("amount")}</b></td></tr>${w.times(w.number(3, 6), () => `<tr><td>${w.product()}</td><td>${w.number(1, 9)}</td><td>${w.price()}</td></tr>`).join("\n")}<tr><td></td><td>${w.label("total")}</td><td>${w.price()}</td></tr></table>`,
        `<p>${w.label("due")} <time>${w.date()}</time>.</p><p>${w.bye()}<br>${w.firm}</p>`]),

    "renewal": (w) => newsletter(w, [header(w), row(w, heading(w, w.title(), 2) + `<p>${w.greet(w.person())}</p>` + paragraph(w)),
        row(w, `<table width="100%" cellpadding="12" cellspacing="0" border="0" bgcolor="#f7f7f9" style="background:#f7f7f9;border-radius:8px"><tr><td style="${textStyle(w)}"><strong>${w.product()}</strong><br/><span style="color:#666">${w.price()} / 12</span></td></tr><tr><td style="${textStyle(w, 14)}border-top:1px solid #ddd">${w.label("due")}: ${w.date()}</td></tr><tr><td style="${textStyle(w, 14)}">${w.label("paid")}: •••• ${w.number(1000, 9999)}</td></tr></table>`),
        row(w, button(w, w.label("account")) + `<p style="${textStyle(w, 13)}">${w.say()} <a href="${w.link("cancel")}" style="color:#0b5cad">${w.label("help")}</a>.</p>`), footer(w)]),

    "bank-statement": (w) => newsletter(w, [header(w), row(w, `<p style="${textStyle(w)}">${w.greet(w.person())}</p>${paragraph(w, w.say())}`),
        row(w, `<table width="100%" border="0" cellspacing="0" cellpadding="6" summary="${w.title().replaceAll("\"", "")}"><tr bgcolor="#003b5c"><th align="left" style="${textStyle(w, 13, "#ffffff")}">${w.label("date")}</th><th align="left" style="${textStyle(w, 13, "#ffffff")}">${w.label("description")}</th><th align="right" style="${textStyle(w, 13, "#ffffff")}">${w.label("amount")}</th><th align="right" style="${textStyle(w, 13, "#ffffff")}">${w.label("balance")}</th></tr>${w.times(w.number(4, 8), (i) => `<tr bgcolor="${i % 2 ? "#f2f6f8" : "#ffffff"}"><td style="${textStyle(w, 13)}">${w.date("short")}</td><td style="${textStyle(w, 13)}">${w.product()}</td><td align="right" style="${textStyle(w, 13)}">${w.pick("-", "&minus;", "+")}${w.price()}</td><td align="right" style="${textStyle(w, 13)}">${w.price(4000)}</td></tr>`).join("\n")}</table>`),
        row(w, paragraph(w) + button(w, w.label("account"))), row(w, `<p style="${textStyle(w, 10, "#777777")}">${w.paragraph(4)}</p>`), footer(w)]),

    "bank-security": (w) => notice(w, [`<img src="${w.picture("logo")}" alt="${w.firm}" height="32">`, `<h1 style="font-size:22px">${w.title()}</h1>`,
        `<p>${w.greet(w.person())}</p><p>${w.paragraph(2)}</p>`, `<table class="facts"><tbody><tr><td>${w.label("device")}</td><td>Firefox, Linux</td></tr><tr><td>${w.label("place")}</td><td>${w.place()}</td></tr><tr><td>${w.label("time")}</td><td>${w.date()} ${w.time()}</td></tr><tr><td>IP</td><td><code>198.51.100.${w.number(1, 250)}</code></td></tr></tbody></table>`,
        `<p><a class="btn" href="${w.link("secure")}">${w.label("yes")}</a> &nbsp; <a href="${w.link("report")}">${w.label("no")}</a></p><hr><p class="muted">${w.label("footer", { firm: w.firm })}</p>`]),

    "security-code": (w) => notice(w, [`<h2>${w.label("code")}</h2>`, `<p>${w.greet(w.person())}</p><p>${w.say()}</p>`,
        w.pick(`<p style="font-size:32px;letter-spacing:8px;text-align:center;font-weight:bold">${w.number(100000, 999999)}</p>`,
            `<table align="center" role="presentation"><tr>${w.times(6, () => `<td style="border:1px solid #ccc;padding:8px 12px;font-size:24px">${w.number(0, 9)}</td>`).join("")}</tr></table>`,
            `<div style="background:#f4f4f4;padding:16px;text-align:center"><span style="font-size:28px"><b>${w.number(100, 999)}</b> <b>${w.number(100, 999)}</b></span></div>`),
        `<p>${w.say()}</p><p class="muted">${w.say()}<br>${w.firm} &bull; ${w.place()}</p>`]),

    "password-reset": (w) => {
        const link = `https://www.${w.host}/reset?token=${w.token(43)}&amp;user=${w.number(1000, 9999)}`;
        return newsletter(w, [header(w), row(w, heading(w, w.title(), 2) + paragraph(w, w.greet(w.person())) + paragraph(w, w.say()) + button(w, w.label("confirm"), link)),
            row(w, `<p style="${textStyle(w, 13)}">${w.say()}</p><p style="${textStyle(w, 13)}word-break:break-all"><a href="${link}">${link}</a></p>`), footer(w)]);
    },

    "welcome": (w) => newsletter(w, [header(w), row(w, heading(w, w.title(), 1) + paragraph(w)),
        ...w.times(3, (i) => row(w, `<table role="presentation" width="100%"><tr><td width="48" valign="top"><div style="width:32px;height:32px;border-radius:16px;background:#0b5cad;color:#ffffff;text-align:center;line-height:32px;font-weight:bold">${i + 1}</div></td><td><h3 style="${textStyle(w, 17)}">${w.title()}</h3><p style="${textStyle(w, 14)}">${w.say()}</p></td></tr></table>`)),
        row(w, `<h3>${w.label("steps")}</h3><ul style="list-style:none;padding:0"><li><input type="checkbox" checked disabled> ${w.say()}</li><li><input type="checkbox" disabled> ${w.say()}</li></ul>` + button(w, w.label("confirm"))), footer(w)]),
};
