import { hiding } from "./hiding.js";

const ways = ["noneImportant", "none", "maxHeight", "opacity", "sizeSmall", "onePixel", "width"];

/** The line that lists of mail show and the mail itself does not, as newsletters begin. */
export function preheader(w) {
    const filler = w.pick("&#847;&zwnj;&nbsp;", "&nbsp;&zwnj;", "&#8199;&#65279;&#847; ", "").repeat(w.number(20, 60));
    const style = "display:none!important;visibility:hidden;mso-hide:all;font-size:1px;color:#ffffff;line-height:1px;"
        + "max-height:0px;max-width:0px;opacity:0;overflow:hidden;";
    return w.chance(0.5) ? `<div class="preheader" style="${style}">${w.hidden(8)}${filler}</div>`
        : hiding[w.pick(...ways)](w, `${w.hidden(7)} ${filler}`).html;
}

/** Rules that most programs for newsletters put first. */
function resets(w) {
    return `
    #outlook a { padding: 0; }
    .ReadMsgBody, .ExternalClass { width: 100%; }
    .ExternalClass, .ExternalClass p, .ExternalClass span, .ExternalClass font, .ExternalClass td { line-height: 100%; }
    body, table, td, p, a, li, blockquote { -ms-text-size-adjust: 100%; -webkit-text-size-adjust: 100%; }
    table, td { mso-table-lspace: 0pt; mso-table-rspace: 0pt; border-collapse: collapse; }
    img { -ms-interpolation-mode: bicubic; border: 0; height: auto; line-height: 100%; outline: none; }
    body { height: 100% !important; margin: 0 !important; padding: 0 !important; width: 100% !important; }
    a[x-apple-data-detectors] { color: inherit !important; text-decoration: none !important; font: inherit !important; }
    u + #body a, #MessageViewBody a { color: inherit; text-decoration: none; font-size: inherit; }
    p { display: block; margin: 13px 0; } .im { color: inherit !important; }
    div[style*="margin: 16px 0;"] { margin: 0 !important; }
    a:hover { text-decoration: underline !important; color: ${w.pick("#0b5cad", "#b3261e", "#1b5e20")}; }`;
}

/** Rules that a program makes for every mail, whether it uses them or not. */
function utilities(w) {
    const rules = [];
    for (const side of ["top", "right", "bottom", "left"]) {
        for (let i = 0; i <= 48; i += 8) rules.push(`.p${side[0]}-${i}{padding-${side}:${i}px !important}`);
    }
    for (const share of [25, 33, 50, 66, 75, 100]) rules.push(`.column-per-${share}{width:${share}% !important;max-width:${share}%}`);
    const narrow = rules.map((rule) => rule.replace(/^\./, ".sm-"));
    return `
    @media only screen and (min-width: 480px) { ${rules.slice(-6).join(" ")} }
    ${rules.join("\n    ")}
    @media only screen and (max-width: 600px) {
      .container, .wrapper, table[class~="full"] { width: 100% !important; max-width: 100% !important; }
      .stack { display: block !important; width: 100% !important; } .sm-hide { display: none !important; }
      ${narrow.join("\n      ")}
    }
    @media (prefers-color-scheme: dark) {
      .dark-bg { background-color: #1b1b1d !important; } .dark-text, .dark-text p, .dark-text a { color: #f1f1f1 !important; }
      .light-logo { display: none !important; } .dark-logo { display: block !important; max-height: none !important; }
    }
    [data-ogsc] .dark-text { color: #f1f1f1 !important; } [data-ogsb] .dark-bg { background-color: #1b1b1d !important; }
    .content-${w.word(4)} td { font-family: ${w.font}, Arial, sans-serif; }`;
}

const office = `<!--[if gte mso 9]><xml><o:OfficeDocumentSettings><o:AllowPNG/><o:PixelsPerInch>96</o:PixelsPerInch>
</o:OfficeDocumentSettings></xml><![endif]-->
<!--[if mso]><style>table{border-collapse:collapse;border-spacing:0}td,p,a{font-family:Arial,sans-serif !important}</style><![endif]-->`;

/** A newsletter: one of two document types, sheets of several kilobytes, a wrapper of nested tables 600 px wide. */
export function newsletter(w, rows, sheet = "") {
    const ground = w.pick("#f4f4f7", "#ffffff", "#eceff1", "#fdf6ec");
    const start = w.pick(
        `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">`,
        `<!doctype html>`);
    return `${start}
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" lang="${w.tag}"${w.direction === "rtl" ? ` dir="rtl"` : ""}>
<head>
<meta http-equiv="Content-Type" content="text/html; charset=UTF-8" />
<meta name="viewport" content="width=device-width, initial-scale=1.0" />
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no" /><meta name="color-scheme" content="light dark" />
<title>${w.hidden(3)}</title>
${office}
<style type="text/css">${resets(w)}${sheet}</style>
<style type="text/css">${utilities(w)}</style>
</head>
<body id="body" class="dark-bg" style="margin:0;padding:0;word-spacing:normal;background-color:${ground};">
${preheader(w)}
<!--[if mso | IE]><table align="center" border="0" cellpadding="0" cellspacing="0" role="presentation" style="width:600px" width="600"><tr><td style="line-height:0px;font-size:0px;mso-line-height-rule:exactly;"><![endif]-->
<table role="presentation" class="wrapper" border="0" cellpadding="0" cellspacing="0" width="100%" style="table-layout:fixed;background-color:${ground};min-width:320px;border-spacing:0;width:100%;">
  <tbody><tr><td align="center" valign="top" style="padding:24px 8px;">
    <table class="container dark-bg" role="presentation" align="center" border="0" cellpadding="0" cellspacing="0" width="600" style="margin:0 auto;background:#ffffff;background-color:#ffffff;width:100%;max-width:600px;border-radius:4px;">
      <tbody>
${rows.join("\n")}
      </tbody>
    </table>
  </td></tr></tbody>
</table>
<!--[if mso | IE]></td></tr></table><![endif]-->
<img src="https://track.${w.host}/o/${w.token(48)}" width="1" height="1" alt="" border="0" style="height:1px !important;width:1px !important;border-width:0 !important;margin:0 !important;padding:0 !important;" />
</body>
</html>`;
}

/** A mail of a service: simpler, with one card on a ground. */
export function notice(w, blocks, sheet = "") {
    return `<!DOCTYPE html>
<html${w.direction === "rtl" ? ` dir="rtl"` : ""} lang="${w.tag}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${w.hidden(2)}</title>
<style>
body{background:#f6f8fa;margin:0;font-family:-apple-system,BlinkMacSystemFont,"${w.font}",Arial,sans-serif;font-size:15px;line-height:1.5;color:#24292f}
.card{max-width:580px;margin:24px auto;background:#fff;border:1px solid #d0d7de;border-radius:6px;padding:24px}
.muted{color:#57606a;font-size:12px}.btn{display:inline-block;padding:10px 18px;border-radius:6px;background:#1f883d;color:#fff !important;text-decoration:none;font-weight:600}
table.facts td{padding:4px 12px 4px 0;vertical-align:top}table.facts td:first-child{color:#57606a;white-space:nowrap}
@media (max-width:600px){.card{padding:12px;border-radius:0}.wide{display:none}}
@media (prefers-color-scheme:dark){body{background:#0d1117;color:#e6edf3}.card{background:#161b22;border-color:#30363d}.muted{color:#8b949e}}
${sheet}</style></head>
<body>${w.chance(0.6) ? preheader(w) : ""}
<div class="card">
${blocks.join("\n")}
</div>
</body></html>`;
}

/** What Word makes of a letter. */
export function word(w, blocks, sheet = "") {
    return `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word" xmlns:m="http://schemas.microsoft.com/office/2004/12/omml" xmlns="http://www.w3.org/TR/REC-html40">
<head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><meta name="Generator" content="Microsoft Word 15 (filtered medium)">
<!--[if !mso]><style>v\\:* {behavior:url(#default#VML);} o\\:* {behavior:url(#default#VML);} w\\:* {behavior:url(#default#VML);}</style><![endif]-->
<style><!--
/* Font Definitions */
@font-face {font-family:Wingdings; panose-1:5 0 0 0 0 0 0 0 0 0;}
@font-face {font-family:"Cambria Math"; panose-1:2 4 5 3 5 4 6 3 2 4;}
@font-face {font-family:Calibri; panose-1:2 15 5 2 2 2 4 3 2 4;}
@font-face {font-family:"${w.font}"; panose-1:2 11 5 2 4 2 4 2 2 3;}
/* Style Definitions */
p.MsoNormal, li.MsoNormal, div.MsoNormal {margin:0cm; font-size:11.0pt; font-family:"Calibri",sans-serif; mso-fareast-language:EN-US;}
h1 {mso-style-priority:9; mso-style-link:"Heading 1 Char"; margin-top:12.0pt; font-size:16.0pt; font-family:"Calibri Light",sans-serif; color:#2F5496; font-weight:normal;}
h2 {mso-style-priority:9; margin-top:2.0pt; font-size:13.0pt; font-family:"Calibri Light",sans-serif; color:#2F5496; font-weight:normal;}
a:link, span.MsoHyperlink {mso-style-priority:99; color:#0563C1; text-decoration:underline;}
p.MsoListParagraph, li.MsoListParagraph, div.MsoListParagraph {mso-style-priority:34; margin-left:36.0pt; font-size:11.0pt; font-family:"Calibri",sans-serif;}
span.EmailStyle17 {mso-style-type:personal-compose; font-family:"Calibri",sans-serif; color:windowtext;}
.MsoChpDefault {mso-style-type:export-only; font-size:10.0pt; mso-fareast-language:EN-US;}
@page WordSection1 {size:612.0pt 792.0pt; margin:70.85pt 70.85pt 2.0cm 70.85pt;}
div.WordSection1 {page:WordSection1;}
/* List Definitions */
@list l0 {mso-list-id:${w.number(100000000, 999999999)}; mso-list-type:hybrid; mso-list-template-ids:-1 134807553 134807555;}
@list l0:level1 {mso-level-number-format:bullet; mso-level-text:\\F0B7; mso-level-tab-stop:none; mso-level-number-position:left; text-indent:-18.0pt; font-family:Symbol;}
@list l0:level2 {mso-level-number-format:bullet; mso-level-text:o; text-indent:-18.0pt; font-family:"Courier New";}
@list l1:level1 {mso-level-number-format:decimal; mso-level-text:"%1\\."; text-indent:-18.0pt;}
ol {margin-bottom:0cm;} ul {margin-bottom:0cm;}
${sheet}
--></style><!--[if gte mso 9]><xml><o:shapedefaults v:ext="edit" spidmax="1026" /></xml><![endif]--></head>
<body lang="${w.locale.toUpperCase()}" link="#0563C1" vlink="#954F72" style='word-wrap:break-word'>
<div class=WordSection1>
${blocks.join("\n")}
</div></body></html>`;
}

/** What a person writes in the browser or on a telephone. */
export function bare(w, blocks) {
    const rtl = w.direction === "rtl";
    return w.pick(
        `<div dir="${w.direction}">${blocks.join("")}</div>`,
        `<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body${rtl ? ` dir="rtl"` : ""} style="overflow-wrap: break-word; -webkit-nbsp-mode: space; line-break: after-white-space;">${blocks.join("\n")}</body></html>`,
        `<html>\n  <head>\n    <meta http-equiv="content-type" content="text/html; charset=UTF-8">\n  </head>\n  <body text="#000000" bgcolor="#FFFFFF"${rtl ? ` dir="rtl"` : ""}>\n    ${blocks.join("\n    ")}\n  </body>\n</html>`);
}
