package dev.inboxd.mail.markdown;

import java.util.Base64;

/** A mail in the layout of programs for newsletters: tables in tables, styles on each element, links that redirect. */
final class Newsletter {
    private static final String FONT = "font-family:Helvetica,Arial,sans-serif;font-size:15px;color:#333333";

    private Newsletter() {}

    static String html() {
        StringBuilder html = new StringBuilder("""
                <!DOCTYPE html><html><head><meta charset="utf-8"><title>News</title><style>
                body{margin:0;padding:0} a{color:#0a58ca} img{border:0;display:block} .pre{display:none}
                @media (max-width:600px){.half{width:100%!important;display:block!important}
                .side{display:none!important}}
                .button a{background-color:#0a58ca;color:#ffffff;padding:12px 20px;text-decoration:none}
                </style></head><body style="background-color:#f4f4f4"><div class="pre">What is new</div>
                <table role="presentation" width="100%" cellpadding="0" cellspacing="0" bgcolor="#f4f4f4">
                <tr><td align="center">
                <table role="presentation" width="600" cellpadding="0" style="background-color:#ffffff">
                """);
        for (int i = 0; i < 24; i++) {
            html.append("""
                    <tr><td style="padding:24px 32px 8px 32px;%1$s">
                    <h2 style="margin:0;font-size:20px;color:#111111">Chair %2$d is blue</h2></td></tr>
                    <tr><td class="half" style="padding:0 32px;%1$s"><p style="margin:0 0 12px 0">The
                    <strong>new chair</strong> of this week has <em>four</em> legs, costs 249.00 and is in
                    <a href="https://click.shop.test/ls?u=https%%3A%%2F%%2Fshop.test%%2F%2$d%%3Futm_source%%3Dn"
                    style="color:#0a58ca">our shop in Bern</a> from Friday on (while stocks last).</p>
                    <ul><li>Oak</li><li>48 x 52 x 81 cm</li></ul></td></tr>
                    <tr><td style="padding:8px 32px"><table role="presentation"><tr>
                    <td class="button" style="border-radius:4px"><a href="https://shop.test/%2$d">Look</a></td>
                    <td width="1"><img src="https://shop.test/o.gif?%2$d" width="1" height="1" alt=""></td>
                    </tr></table></td></tr>
                    """.formatted(FONT, i));
        }
        return html + "</table></td></tr></table></body></html>\n";
    }

    /** It as it is sent. */
    static String message() {
        byte[] octets = html().getBytes(java.nio.charset.StandardCharsets.UTF_8);
        return """
                From: News <news@shop.test>
                To: kim@a.test
                Subject: The blue chair
                MIME-Version: 1.0
                Content-Type: multipart/alternative; boundary=next

                --next
                Content-Type: text/plain; charset=utf-8

                The new chair is blue.
                --next
                Content-Type: text/html; charset=utf-8
                Content-Transfer-Encoding: base64

                %s
                --next--
                """.formatted(Base64.getMimeEncoder().encodeToString(octets))
                .replace("\r", "")
                .replace("\n", "\r\n");
    }
}
