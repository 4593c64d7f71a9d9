import { button, footer, header, heading, paragraph, picture, row, textStyle } from "../blocks.js";
import { newsletter, notice } from "../frames.js";

const hash = (w) => w.times(7, () => w.pick(..."0123456789abcdef")).join("");
const path = (w) => `src/${w.word(5)}/${w.word(6)}_${w.word(4)}.${w.pick("js", "py", "rs")}`;

export const work = {
    "repository-comment": (w) => `<html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8"></head><body>
<p></p><div><blockquote><p dir="auto">${w.paragraph(2)}</p></blockquote></div>
<p dir="auto">${w.say()} <a class="user-mention" href="https://code.${w.host}/${w.word(5)}">@${w.word(5)}-${w.word(3)}</a> ${w.say()} <code class="notranslate">${w.word(4)}_${w.word(5)}(*args, **kw)</code> ${w.ask()}</p>
<ol dir="auto"><li>${w.say()}</li><li>${w.say()} <del>${w.say()}</del></li></ol>
<ul dir="auto" class="contains-task-list"><li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" checked disabled> ${w.say()}</li><li class="task-list-item"><input type="checkbox" disabled> ${w.say()}</li></ul>
<div class="snippet-clipboard-content" dir="auto"><pre class="notranslate"><code class="notranslate">$ ${w.word(5)} --verbose
warning: ${w.word(6)} &lt;${w.word(4)}&gt; is deprecated
  --&gt; ${path(w)}:${w.number(1, 400)}
error[E${w.number(1000, 9999)}]: \`${w.word(4)}\` | | &amp;
</code></pre></div>
<h3 dir="auto">${w.title()}</h3><table role="table"><thead><tr><th>${w.label("item")}</th><th align="right">${w.label("time")}</th></tr></thead><tbody>${w.times(3, () => `<tr><td><code>${w.word(7)}</code></td><td align="right">${w.number(1, 900)} ms</td></tr>`).join("")}</tbody></table>
<p style="font-size:small;-webkit-text-size-adjust:none;color:#666;">&mdash;<br />Reply to this email directly, <a href="https://code.${w.host}/${w.word(5)}/issues/${w.number(1, 999)}#issuecomment-${w.number(100000, 999999)}">view it online</a>, or <a href="https://code.${w.host}/notifications/unsubscribe-auth/${w.token(70)}">${w.label("unsubscribe")}</a>.<br />You are receiving this because you were mentioned.<img src="https://code.${w.host}/notifications/beacon/${w.token(70)}.gif" height="1" width="1" alt="" /><span style="color: transparent; font-size: 0; display: none; visibility: hidden; overflow: hidden; opacity: 0; width: 0; height: 0; max-width: 0; max-height: 0; mso-hide: all">${w.hidden(4)} <span>&lt;</span>${w.hidden(2)}</span></p>
<script type="application/ld+json">[{"@context":"http://schema.org","@type":"EmailMessage","description":"${w.hidden(3)}"}]</script></body></html>`,

    "merge-request": (w) => notice(w, [`<p class="details" style="font-style:italic;color:#737278">${w.person()} ${w.label("assignee")} ${w.person()}</p>`,
        `<p><a href="https://code.${w.host}/x/-/merge_requests/${w.number(1, 400)}">!${w.number(1, 400)}</a> ${w.title()}</p>`,
        `<div class="md"><p>${w.paragraph(2)}</p><h2>${w.label("summary")}</h2><ul><li><p>${w.say()}</p></li><li><p>${w.say()}</p><ul><li>${w.say()}</li></ul></li></ul></div>`,
        `<table class="code" style="width:100%;border-collapse:collapse;font-family:monospace"><tbody>${w.times(4, (i) => `<tr class="line_holder"><td class="diff-line-num" style="width:35px;color:#999">${i + 11}</td><td style="width:35px;color:#999">${i + 12}</td><td class="line_content ${i === 1 ? "old" : "new"}"><pre style="margin:0">${i === 1 ? "-" : "+"}<span class="k">let</span> ${w.word(4)} = ${w.word(5)}[${w.number(0, 9)}];</pre></td></tr>`).join("\n")}</tbody></table>`,
        `<p style="font-size:small;color:#666">—<br><a href="${w.link()}">View it on ${w.firm}</a>. <a href="${w.link()}">${w.label("unsubscribe")}</a></p>`]),

    "build-failed": (w) => newsletter(w, [
        `<tr><td align="center" bgcolor="#d22f57" style="background-color:#d22f57;padding:10px;border-radius:3px"><table role="presentation"><tr><td style="${textStyle(w, 16, "#ffffff")}"><img src="${w.picture("x")}" alt="✖" width="14" height="14"> ${w.label("failed")}: ${w.title()}</td></tr></table></td></tr>`,
        row(w, `<table border="0" cellpadding="0" cellspacing="0" class="section" style="width:100%;border:1px solid #ededed;border-radius:3px"><tbody>${[["from", `<a href="${w.link()}">${w.word(6)} / ${w.word(5)}</a>`], ["subject", `<a href="${w.link()}">fix/${w.word(6)}_${w.word(3)}</a>`], ["comment", `<a href="${w.link()}">${hash(w)}</a> ${w.say()}`], ["assignee", w.person()]].map(([key, value]) => `<tr><td style="${textStyle(w, 14, "#8c8c8c")}padding:14px 0;font-weight:300">${w.label(key)}</td><td style="${textStyle(w, 14)}padding:14px 0">${value}</td></tr>`).join("\n")}</tbody></table>`),
        row(w, `<table width="100%" cellpadding="4" cellspacing="0"><tr><th>${w.label("item")}</th><th>${w.label("status")}</th><th>${w.label("time")}</th></tr>${w.times(w.number(3, 6), () => `<tr><td>${w.word(5)}:${w.word(4)}</td><td>${w.label(w.pick("failed", "passed", "passed"))}</td><td>${w.number(0, 9)}:${w.number(10, 59)}</td></tr>`).join("")}</table>`),
        row(w, `<pre style="background:#1f1f1f;color:#eeeeee;padding:12px;font-size:12px;white-space:pre-wrap">  1) ${w.word(6)} #${w.word(4)}
     Failure/Error: expect(a).to eq(b)

       expected: ${w.number(1, 99)}
            got: ${w.number(1, 99)}
     # ./${path(w)}:${w.number(1, 99)}:in \`block (2 levels)'</pre>`), footer(w)]),

    "issue-changed": (w) => newsletter(w, [header(w), row(w, `<p style="${textStyle(w, 14)}"><a href="${w.link()}">${w.person()}</a> <strong>${w.label("status")}</strong></p><h1 style="${textStyle(w, 20)}"><a href="${w.link()}" style="color:#0052cc;text-decoration:none">${w.word(3).toUpperCase()}-${w.number(10, 999)}: ${w.title()}</a></h1>`),
        row(w, `<table border="0" cellpadding="0" cellspacing="0" id="email-fields" style="border-collapse:collapse;${textStyle(w, 14)}"><tbody>${["status", "priority", "assignee", "due"].map((key) => `<tr><th style="color:#707070;text-align:left;vertical-align:top;padding:2px 10px 2px 0;font-weight:normal">${w.label(key)}:</th><td><span class="diffremovedchars" style="background-color:#ffe7e7;text-decoration:line-through">${w.label(w.pick("failed", "maybe"))}</span> <span class="diffaddedchars" style="background-color:#ddfade">${w.label(w.pick("passed", "yes"))}</span></td></tr>`).join("")}</tbody></table>`),
        row(w, `<div class="comment-block">${paragraph(w)}<p>${w.say()} <tt>${path(w)}</tt></p></div>`), row(w, button(w, w.label("comment"))), footer(w)]),

    "helpdesk": (w) => `<!DOCTYPE html><html><head><meta charset="utf-8"><style type="text/css">table td{border-collapse:collapse}body[dir=rtl] .dir-rtl{direction:rtl;text-align:right}</style></head><body dir="${w.direction}">
<div style="color: #b5b5b5;">##- ${w.say()} -##</div><p></p><div dir="${w.direction}" style="font-family:'${w.font}',Arial;font-size:14px;margin:15px 0"><p>${w.greet(w.person())}</p><p>${w.paragraph(2)} (#${w.number(1000, 9999)})</p></div>
<div style="margin-top:25px">${w.times(w.number(2, 3), () => `<table width="100%" cellpadding="0" cellspacing="0" border="0" role="presentation"><tr><td width="100%" style="padding:15px 0;border-top:1px dotted #c5c5c5"><table width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed" role="presentation"><tr><td valign="top" style="padding:0 15px;width:40px"><img width="40" height="40" alt="" style="height:auto;line-height:100%;outline:none;border-radius:5px" src="${w.picture("avatar")}"></td><td width="100%" style="padding:0;margin:0" valign="top"><p style="font-size:15px;line-height:18px;margin-bottom:0;margin-top:0;padding:0;color:#1b1d1e"><strong>${w.person()}</strong> (${w.firm})</p><p style="font-size:13px;line-height:25px;color:#bbbbbb">${w.date()}, ${w.time()}</p><div class="zd-comment" dir="auto" style="color:#2b2e2f;line-height:22px;margin:15px 0">${w.times(2, () => `<p style="color:#2b2e2f;line-height:22px" dir="auto">${w.paragraph(2)}</p>`).join("")}<p dir="auto">${w.bye()}<br>${w.person()}</p></div></td></tr></table></td></tr></table>`).join("\n")}</div>
<div style="padding:10px;color:#aaaaaa;font-size:12px">${w.label("footer", { firm: w.firm })}</div><span style="color:#FFFFFF" aria-hidden="true">[${w.word(6).toUpperCase()}-${w.word(4).toUpperCase()}]</span></body></html>`,

    "document-comment": (w) => newsletter(w, [header(w), row(w, `<table role="presentation" width="100%"><tr><td width="40"><img src="${w.picture("avatar")}" width="32" height="32" alt="${w.person()}"></td><td style="${textStyle(w)}"><b>${w.person()}</b> (<a href="mailto:${w.address()}">${w.address("a." + w.word(4))}</a>) ${w.label("comment")}: <a href="${w.link()}">${w.title()}</a></td></tr></table>`),
        row(w, `<div style="border-left:4px solid #fbbc04;padding-left:12px;color:#5f6368;background:#fef7e0">${w.say()}</div><div style="${textStyle(w)}">${w.ask()}</div>`),
        row(w, `<div style="${textStyle(w)}"><b>${w.person()}</b><br>${w.say()}</div>`), row(w, button(w, w.label("reply"))), footer(w)]),

    "chat-missed": (w) => newsletter(w, [header(w), row(w, `<h1 style="${textStyle(w, 24)}">${w.title()}</h1>`),
        ...w.times(w.number(3, 6), () => row(w, `<table width="100%" cellpadding="0" cellspacing="0"><tr><td width="48" valign="top"><img src="${w.picture("avatar")}" width="36" height="36" alt="" style="border-radius:4px"></td><td><span style="${textStyle(w, 15)}font-weight:900">${w.person()}</span> <span style="${textStyle(w, 12, "#616061")}">${w.time()}</span><br><span style="${textStyle(w, 15)}">${w.pick(w.ask(), w.say())} ${w.pick("👍🏽", "🙈", "", "<img alt=\":tada:\" src=\"" + w.picture("tada") + "\" width=\"20\" height=\"20\">", "1️⃣")}</span></td></tr></table>`)),
        row(w, button(w, w.label("reply"))), footer(w)]),

    "report-weekly": (w) => newsletter(w, [header(w), row(w, heading(w, w.title(), 1)),
        row(w, `<table width="100%" cellspacing="8" cellpadding="0" border="0" role="presentation"><tr>${w.times(3, () => `<td align="center" bgcolor="#f2f6ff" style="border-radius:6px;padding:12px"><div style="${textStyle(w, 26)}"><b>${w.number(100, 9999)}</b></div><div style="${textStyle(w, 12)}">${w.label(w.pick("customer", "order", "account"))}</div><div style="color:${w.pick("#1b5e20", "#b3261e")};font-size:12px">${w.pick("▲", "▼")} ${w.number(1, 40)}%</div></td>`).join("")}</tr></table>`),
        row(w, picture(w, `${w.title()} (${w.number(10, 60)} %)`)),
        row(w, `<table width="100%" border="1" cellpadding="6" style="border-collapse:collapse"><thead><tr><th rowspan="2">${w.label("item")}</th><th colspan="2">${w.date("medium")}</th><th colspan="2">${w.date("medium")}</th></tr><tr><th>${w.label("quantity")}</th><th>${w.label("amount")}</th><th>${w.label("quantity")}</th><th>${w.label("amount")}</th></tr></thead><tbody>${w.times(w.number(4, 9), () => `<tr><td>${w.product()}</td><td align="right">${w.number(1, 90)}</td><td align="right">${w.price()}</td><td align="right">${w.number(1, 90)}</td><td align="right">${w.chance(0.2) ? "" : w.price()}</td></tr>`).join("\n")}</tbody></table>`),
        row(w, paragraph(w)), footer(w)]),
};
