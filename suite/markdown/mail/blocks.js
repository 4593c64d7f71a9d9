const face = (w) => `font-family:'${w.font}',Helvetica,Arial,sans-serif;`;
const exact = "mso-line-height-rule:exactly;-webkit-text-size-adjust:none;-ms-text-size-adjust:none;";

export const textStyle = (w, size = 16, colour = "#333333") =>
    `${face(w)}font-size:${size}px;font-style:normal;font-weight:400;line-height:${Math.round(size * 1.5)}px;letter-spacing:normal;`
    + `${exact}color:${colour};text-align:${w.direction === "rtl" ? "right" : "left"};margin:0;padding:0;word-break:break-word;`;

/** A row of a newsletter around some HTML, as deep as its program makes it. */
export function row(w, html, padding = "16px 32px") {
    const cell = `style="direction:${w.direction};font-size:0px;padding:${padding};text-align:center;vertical-align:top;word-break:break-word;"`;
    const inner = `style="font-size:16px;padding:0;word-break:break-word;${face(w)}color:#333333;text-align:${w.direction === "rtl" ? "right" : "left"};"`;
    return w.pick(
        `<tr><td align="left" valign="top" class="dark-text pt-16" style="padding:${padding};${textStyle(w)}">${html}</td></tr>`,
        `<tr><td ${cell}><!--[if mso | IE]><table role="presentation" border="0" cellpadding="0" cellspacing="0"><tr><td class="" style="vertical-align:top;width:536px;"><![endif]-->
<div class="column-per-100 outlook-group-fix" style="font-size:0px;text-align:left;direction:${w.direction};display:inline-block;vertical-align:top;width:100%;">
<table border="0" cellpadding="0" cellspacing="0" role="presentation" style="vertical-align:top;" width="100%"><tbody><tr><td align="left" ${inner}>${html}</td></tr></tbody></table>
</div><!--[if mso | IE]></td></tr></table><![endif]--></td></tr>`,
        `<tr><td align="center" style="padding:0;margin:0;"><table width="100%" cellspacing="0" cellpadding="0" border="0" class="full" style="border-collapse:collapse;border-spacing:0px;mso-table-lspace:0pt;mso-table-rspace:0pt;"><tr style="border-collapse:collapse"><td align="left" style="padding:${padding};margin:0;"><table width="100%" cellspacing="0" cellpadding="0" role="presentation" style="border-spacing:0px"><tr><td class="dark-text" ${inner}>${html}</td></tr></table></td></tr></table></td></tr>`);
}

export function heading(w, text, level = w.pick(1, 2, 2)) {
    const style = `${face(w)}font-size:${32 - 4 * level}px;font-weight:700;line-height:1.2;color:#1d1d1f;margin:0 0 12px;padding:0;${exact}`;
    return w.pick(
        `<h${level} class="dark-text" style="${style}">${text}</h${level}>`,
        `<h${level} style="${style}"><strong>${text}</strong></h${level}>`,
        `<div style="${style}"><span style="font-size:${32 - 4 * level}px">${text}</span></div>`,
        `<p style="${style}">${text}</p>`);
}

export function paragraph(w, text = w.paragraph()) {
    return w.pick(
        `<p class="dark-text" style="${textStyle(w)}margin-bottom:16px;">${text}</p>`,
        `<p style="margin:0 0 16px;${textStyle(w)}"><span style="${textStyle(w)}">${text}</span></p>`,
        `<div style="${textStyle(w)}padding-bottom:16px;">${text}</div>`);
}

/** A link that is drawn as a button, in the ways that hold in Outlook too. */
export function button(w, text, href = w.link()) {
    const colour = w.pick("#0b5cad", "#b3261e", "#1b5e20", "#111111");
    const link = `display:inline-block;background:${colour};color:#ffffff;${face(w)}font-size:15px;font-weight:${w.pick(400, 600, 700)};line-height:120%;text-decoration:none;text-transform:none;padding:12px 28px;border-radius:4px;mso-padding-alt:0px;`;
    return w.pick(
        `<table border="0" cellpadding="0" cellspacing="0" role="presentation" style="border-collapse:separate;line-height:100%;"><tbody><tr><td align="center" bgcolor="${colour}" role="presentation" style="border:none;border-radius:4px;cursor:auto;mso-padding-alt:12px 28px;background:${colour};" valign="middle"><a href="${href}" target="_blank" style="${link}"> ${text} </a></td></tr></tbody></table>`,
        `<div><!--[if mso]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" xmlns:w="urn:schemas-microsoft-com:office:word" href="${href}" style="height:44px;v-text-anchor:middle;width:220px;" arcsize="10%" stroke="f" fillcolor="${colour}"><w:anchorlock/><center style="color:#ffffff;">${text} ${w.hidden(2)}</center></v:roundrect><![endif]--><!--[if !mso]><!-- --><a href="${href}" style="${link}mso-hide:all;"><span style="color:#ffffff;display:block;">${text}</span></a><!--<![endif]--></div>`,
        `<span class="es-button-border" style="border-style:solid;border-color:${colour};background:${colour};border-width:0px 0px 2px 0px;display:inline-block;border-radius:4px;width:auto"><a href="${href}" class="es-button" target="_blank" style="${link}"><!--[if mso]><i style="letter-spacing: 28px; mso-font-width: -100%; mso-text-raise: 30pt;">&nbsp;</i><![endif]--><b>${text}</b><!--[if mso]><i style="letter-spacing: 28px; mso-font-width: -100%;">&nbsp;</i><![endif]--></a></span>`);
}

/** Cells beside one another that stand below one another on telephones. */
export function columns(w, cells) {
    const share = Math.floor(100 / cells.length);
    const width = Math.floor(536 / cells.length);
    return w.pick(
        () => `<table width="100%" border="0" cellspacing="0" cellpadding="0" role="presentation" style="border-collapse:collapse;"><tr>${cells.map((cell) =>
            `<td class="stack" width="${share}%" valign="top" style="width:${share}%;padding:0 8px;vertical-align:top;">${cell}</td>`).join("")}</tr></table>`,
        () => `<!--[if mso]><table role="presentation" width="100%"><tr><![endif]-->${cells.map((cell) =>
            `<!--[if mso]><td style="width:${width}px;padding:0 8px" valign="top"><![endif]--><div class="column-per-${share} stack" style="width:100%;max-width:${width}px;display:inline-block;vertical-align:top;font-size:16px;"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td style="padding:8px;">${cell}</td></tr></table></div><!--[if mso]></td><![endif]-->`).join("\n")}<!--[if mso]></tr></table><![endif]-->`,
        () => cells.map((cell, i) =>
            `<table align="${i === cells.length - 1 ? "right" : "left"}" border="0" cellpadding="0" cellspacing="0" width="${width - 12}" class="full" style="width:${width - 12}px;max-width:${width - 12}px;border-collapse:collapse;mso-table-lspace:0pt;mso-table-rspace:0pt;"><tbody><tr><td valign="top" style="padding:0 0 12px;">${cell}</td></tr></tbody></table>`).join("\n")
            + `<div style="clear:both;font-size:0;line-height:0">&nbsp;</div>`,
    )();
}

/** A picture, which may say something or nothing. */
export function picture(w, says = w.chance(0.5) ? w.title() : "", width = 536) {
    const alt = says ? `alt="${says.replaceAll("\"", "&quot;")}"` : w.pick(`alt=""`, "", `alt=" "`);
    return `<img src="${w.picture()}" ${alt} width="${width}" height="auto" border="0" style="border:0;display:block;outline:none;text-decoration:none;height:auto;width:100%;max-width:${width}px;font-size:13px;" />`;
}

export function spacer(w) {
    return w.pick(
        `<tr><td height="24" style="height:24px;line-height:24px;font-size:1px;mso-line-height-rule:exactly;">&nbsp;</td></tr>`,
        `<tr><td style="font-size:0px;padding:10px 25px;word-break:break-word;"><p style="border-top:solid 1px #e0e0e0;font-size:1px;margin:0px auto;width:100%;"></p><!--[if mso | IE]><table align="center" border="0" style="border-top:solid 1px #e0e0e0;width:550px;" role="presentation"><tr><td style="height:0;line-height:0;"> &nbsp;</td></tr></table><![endif]--></td></tr>`,
        `<tr><td style="line-height:1px;font-size:1px"><img src="${w.picture("spacer")}" width="1" height="20" alt="" style="display:block"></td></tr>`);
}

/** Pictures that lead to networks. */
export function networks(w) {
    const names = ["Facebook", "Instagram", "LinkedIn", "YouTube", "X"].slice(w.number(0, 2));
    return `<table align="center" border="0" cellpadding="0" cellspacing="0" role="presentation" style="float:none;display:inline-table;"><tr>${names.map((name) =>
        `<td style="padding:4px;vertical-align:middle;"><table border="0" cellpadding="0" cellspacing="0" role="presentation" style="border-radius:3px;width:24px;"><tr><td style="font-size:0;height:24px;vertical-align:middle;width:24px;"><a href="${w.link(name.toLowerCase())}" target="_blank"><img alt="${name}" height="24" src="${w.picture(name.toLowerCase())}" style="border-radius:3px;display:block;" width="24" /></a></td></tr></table></td>`).join("")}</tr></table>`;
}

/** The end of a newsletter. */
export function footer(w) {
    const link = (label) => `<a href="${w.link()}" target="_blank" style="${textStyle(w, 12, "#666666")}text-decoration:underline;">${w.label(label)}</a>`;
    const between = w.pick(" | ", " &nbsp;&middot;&nbsp; ", " &bull; ");
    return [
        row(w, networks(w), "8px"),
        row(w, `<p style="${textStyle(w, 12, "#666666")}text-align:center">${w.label("footer", { firm: w.firm })}<br>${link("preferences")}${between}${link("unsubscribe")}${between}${link("viewOnline")}</p>
<p style="${textStyle(w, 12, "#666666")}">&copy; 2026 ${w.firm}, ${w.place()}. ${w.label("rights")}</p>`),
    ].join("\n");
}

/** A line above everything. */
export function header(w) {
    const logo = `<a href="${w.link("")}" target="_blank" style="text-decoration:none"><img src="${w.picture("logo")}" alt="${w.firm}" width="140" class="light-logo" style="display:block;border:0;width:140px;" /></a>`;
    return [
        w.chance(0.5) ? row(w, `<p style="${textStyle(w, 11, "#888888")}text-align:center"><a href="${w.link("view")}" style="color:#888888;">${w.label("viewOnline")}</a></p>`, "8px") : "",
        row(w, logo + (w.chance(0.3) ? `<!--[if !mso]><! --><div class="dark-logo" style="display:none;max-height:0;overflow:hidden;"><img src="${w.picture("dark")}" alt="${w.hidden(1)}" width="140"></div><!--<![endif]-->` : ""), "16px"),
    ].join("\n");
}

/** Rows of a label and what is said of it, in a table without lines. */
export function facts(w, pairs) {
    return `<table class="facts" ${w.chance(0.5) ? `role="presentation" ` : ""}cellpadding="0" cellspacing="0" border="0" width="100%">${pairs.map(([key, value]) =>
        `<tr><td style="${textStyle(w, 14, "#666666")}padding:6px 12px 6px 0;white-space:nowrap;vertical-align:top">${w.chance(0.3) ? `<strong>${key}</strong>` : key}</td><td style="${textStyle(w, 14)}padding:6px 0;vertical-align:top;">${value}</td></tr>`).join("\n")}</table>`;
}
