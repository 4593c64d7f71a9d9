package dev.inboxd.mail.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinkTargetTest {
    private static final String SHOP = "https://shop.example/sale?id=7";

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ' ', textBlock = """
            https://shop.example https://shop.example/
            HTTPS://Shop.EXAMPLE:443/a/../b/./c?x=1#y https://shop.example/b/c?x=1#y
            http:\\\\shop.example\\a http://shop.example/a
            https://bücher.example/straße?q=ä https://xn--bcher-kva.example/stra%C3%9Fe?q=%C3%A4
            http://0x7f.1/ http://127.0.0.1/
            http://[2001:DB8:0:0::1]:8080/ http://[2001:db8::1]:8080/
            https://kim:pw@shop.example/ https://kim:pw@shop.example/
            https://a_b.shop.example./ https://a_b.shop.example./
            https://shop.example/%7ea/%zz https://shop.example/%7ea/%zz
            mailto:kim@shop.example?subject=Chair mailto:kim@shop.example?subject=Chair
            MAILTO:kim@bücher.example mailto:kim@b%C3%BCcher.example
            tel:+49-30-1234 tel:+49-30-1234
            sms:+4930 sms:+4930
            """)
    void anAddressIsReadAsABrowserReadsIt(String address, String target) {
        assertThat(LinkTarget.of(address)).isEqualTo(target);
        assertThat(LinkTarget.of(target)).isEqualTo(target);
    }

    @Test
    void spacesAroundItAndEndsOfLinesWithinAreNoneOfIt() {
        assertThat(LinkTarget.of(" \n https://shop.example/a\n\tb c ")).isEqualTo("https://shop.example/ab%20c");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "#top",
                "/sale",
                "sale.html",
                "javascript:alert(1)",
                "java\tscript:alert(1)",
                "data:text/html,x",
                "ftp://shop.example/",
                "cid:logo",
                "mailto:",
                "https://",
                "https:///",
                "https://{{host}}/",
                "https://a b/",
                "https://shop.example:99999/",
                "https://[::1",
                "http://1.2.3.400/",
                "https://a..b/"
            })
    void whatLeadsNowhereHasNoTarget(String address) {
        assertThat(LinkTarget.of(address)).isNull();
        assertThat(LinkTarget.exact(address)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://eu.safelinks.protection.outlook.com/?url=https%3A%2F%2Fshop.example%2Fsale%3Fid%3D7",
                "https://urldefense.proofpoint.com/v1/url?u=https://shop.example/sale%3Fid%3D7&k=a%2B9&r=x",
                "https://urldefense.proofpoint.com/v2/url?u=https-3A__shop.example_sale-3Fid-3D7&d=DwMFaQ&c=x&e=",
                "https://urldefense.com/v3/__https://shop.example/sale?id=7__;!!Abc!x-y_z$",
                "https://urldefense.us/v3/__https:/shop.example/sale*id=7__;Pw!!Abc!x$",
                "https://www.google.com/url?q=https://shop.example/sale%3Fid%3D7&sa=D&source=calendar&usg=AOv",
                "https://www.google.de/url?sa=t&url=https%3A%2F%2Fshop.example%2Fsale%3Fid%3D7&ved=2ah",
                "https://l.facebook.com/l.php?u=https%3A%2F%2Fshop.example%2Fsale%3Fid%3D7&h=AT0",
                "https://www.linkedin.com/redir/redirect?url=https%3A%2F%2Fshop%2Eexample%2Fsale%3Fid%3D7&urlhash=-x",
                "https://linkprotect.cudasvc.com/url?a=https%3a%2f%2fshop.example%2fsale%3fid%3d7&c=E,1,x&typo=1",
                "https://t.news.example/s1t/c/5/f18?t=https%3A%2F%2Fshop.example%2Fsale%3Fid%3D7&si=600",
                "https://xy.r.eu.awstrack.me/L0/https:%2F%2Fshop.example%2Fsale%3Fid=7/1/0102/sig=330",
                "https://secure-web.cisco.com/1abcDEF/https%3A%2F%2Fshop.example%2Fsale%3Fid%3D7",
                "https://click.mailer.example/abc/def/aHR0cHM6Ly9zaG9wLmV4YW1wbGUvc2FsZT9pZD03",
                "https://eu.protection.example/?d=shop.example&u=aHR0cHM6Ly9zaG9wLmV4YW1wbGUvc2FsZT9pZD03&i=x",
                "https://click.mailer.example/track?x=https%253A%252F%252Fshop.example%252Fsale%253Fid%253D7",
                "https://www.video.example/redirect?event=d&q=https%3A%2F%2Fshop.example%2Fsale%3Fid%3D7",
                "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fshop.example%2Fsale%3Fid%3D7"
                        + "&data=05%7C01%7Ckim%40x.example%7Cabc%7C0&sdata=Q%2BxY%3D&reserved=0",
                "https://can01.safelinks.protection.outlook.com/ap/w-59584e83/?url=https%3A%2F%2Fshop.example%2Fsale"
                        + "%3Fid%3D7&data=05&sdata=x",
                "https://statics.teams.example/evergreen-assets/safelinks/1/atp-safelinks.html?url="
                        + "https%3A%2F%2Fshop.example%2Fsale%3Fid%3D7&locale=en",
                "https://urldefense.com/v3/__https://shop.example/sale*id=7__;Pw!!Abc!x-y_z$ ",
                "https://nam.urldefense.example/v3/__https:/shop.example/sale*id*7__;Pz0!!A!b$",
                "https://slack-redir.net/link?url=https%3A%2F%2Fshop.example%2Fsale%3Fid%3D7&v=3",
                "https://www.linkedin.com/safety/go?url=https%3A%2F%2Fshop.example%2Fsale%3Fid%3D7&trk=x",
                "https://lm.facebook.com/l.php?u=https%3A%2F%2Fshop.example%2Fsale%3Fid%3D7&h=AT0",
                "https://l.instagram.com/?u=https%3A%2F%2Fshop.example%2Fsale%3Fid%3D7&e=AT",
                "https://www.google.com/url?sa=D&q=https://shop.example/sale%3Fid%3D7&ust=1&usg=AOv&source=gmail",
                "https://protect2.fireeye.example/v1/url?k=x-y&q=1&e=z&u=https%3A%2F%2Fshop.example%2Fsale%3Fid%3D7",
                "https://imsva91-ctp.trend.example:443/wis/clicktime/v1/query?url=https%3a%2f%2fshop.example%2fsale"
                        + "%3fid%3d7&umid=x&auth=y",
                "https://clicktime.symantec.example/3xy?u=https%3A%2F%2Fshop.example%2Fsale%3Fid%3D7",
                "https://mailer.example/redirect/https://shop.example/sale?id=7",
                "https://mailer.example/redirect/https:/shop.example/sale?id=7",
                "https://click.mailer.example/?utm_source=x&ORIGINALSRC=https%3A%2F%2Fshop.example%2Fsale%3Fid%3D7",
                "https://shop.example/sale?id=7"
            })
    void theTargetThatStandsInAWrapperIsTheTarget(String address) {
        assertThat(LinkTarget.of(address)).isEqualTo(SHOP);
        assertThat(LinkTarget.exact(address)).isEqualTo(SHOP);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://u77.ct.sendgrid.net/ls/click?upn=u001.aGVsbG8td29ybGQ-3D_x",
                "https://shop.us1.list-manage.com/track/click?u=88ab&id=12&e=34",
                "https://protect-us.mimecast.com/s/AbCd?domain=shop.example",
                "https://u77.ct.sendgrid.net/wf/click?upn=abc-2Bdef-3D-3D_x",
                "https://mandrillapp.com/track/click/30/shop.example?p=eyJzIjoiYSIsInAiOiJ7fSJ9",
                "https://e.mailer.example/e/c/eyJlbWFpbF9pZCI6IngifQ/abc",
                "https://click.e.mailer.example/?qs=0a1b2c3d4e5f6a7b8c9d",
                "https://track.hub.example/__ptq.gif?a=1&k=14&r=abc",
                "https://t.sidekickopen.example/s3t/c/5/f18dQhb0S7lC8dDMPbW2n0x6l2B9nMJW7t5XZs",
                "https://go.shop.example/r?nexturl=x&next=https%3A%2F%2Fother.example%2F",
                "https://go.shop.example/r?callback=https%3A%2F%2Fother.example%2F",
                "https://go.shop.example/r?service=https%3A%2F%2Fother.example%2F",
                "https://go.shop.example/r?return=https%3A%2F%2Fother.example%2F",
                "https://go.shop.example/r?redirect-uri=https%3A%2F%2Fother.example%2F",
                "https://d2.hubspotlinks.example/Ctc/5B+113/x/VW0",
                "https://shop.example/share?page=https%3A%2F%2Fother.example%2F",
                "https://web.archive.example/web/2026/https://other.example/",
                "https://shop.example/oauth/authorize?url=https%3A%2F%2Fother.example%2F",
                "https://shop.example/login?url=https%3A%2F%2Fother.example%2F",
                "https://shop.example/users/sign_in/redirect?u=https%3A%2F%2Fother.example%2F",
                "https://shop.example/log-in/r?target=https%3A%2F%2Fother.example%2F",
                "https://accounts.example/ServiceLogin?q=https%3A%2F%2Fother.example%2F",
                "https://login.shop.example/?url=https%3A%2F%2Fother.example%2F",
                "https://app.shop.example/saml2/redirect/https%3A%2F%2Fother.example%2F",
                "https://app.shop.example/verify-email?token=x&url=https%3A%2F%2Fshop.example%2Fhome",
                "https://go.shop.example/r?next=https%3A%2F%2Fother.example%2F",
                "https://go.shop.example/r?continue=https%3A%2F%2Fother.example%2F",
                "https://go.shop.example/r?returnUrl=https%3A%2F%2Fother.example%2F",
                "https://go.shop.example/r?return_to=https%3A%2F%2Fother.example%2F&redirect_uri=https%3A%2F%2Fo.x",
                "https://go.shop.example/r?state=https%3A%2F%2Fother.example%2F&goto=https%3A%2F%2Fo.example%2F",
                "https://go.shop.example/r?u=https%3A%2F%2Flocalhost%2F",
                "https://go.shop.example/r?u=javascript%3Aalert(1)//a.example",
                "https://go.shop.example/r?u=%2F%2Fother.example%2F",
                "https://go.shop.example/r?u=other.example",
                "https://go.shop.example/r?u=https%3A%2F%2Fother.example%2Fa%0D%0Ab"
            })
    void anAddressThatHidesItsTargetOrSignsInStays(String address) {
        assertThat(LinkTarget.of(address)).isEqualTo(address);
        assertThat(LinkTarget.exact(address)).isEqualTo(address);
    }

    @Test
    void wrappersAreTakenOffThreeTimes() {
        String address = SHOP;
        for (int i = 0; i < 3; i++) {
            address = "https://www.search.example/url?q=" + encoded(address);
        }
        assertThat(LinkTarget.of(address)).isEqualTo(SHOP);
        String fourth = "https://www.search.example/url?q=" + encoded(address);
        assertThat(LinkTarget.of(fourth)).isEqualTo("https://www.search.example/url?q=" + encoded(SHOP));
    }

    private static String encoded(String text) {
        return java.net.URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Test
    void aTargetIsDecodedTwiceAtMost() {
        assertThat(LinkTarget.of("https://go.example/?x=" + base64(encoded(SHOP))))
                .isEqualTo(SHOP);
        assertThat(LinkTarget.of("https://go.example/?x=" + base64(base64(SHOP))))
                .isEqualTo(SHOP);
        assertThat(LinkTarget.of("https://go.example/" + base64(SHOP) + "/9")).isEqualTo(SHOP);
        String thrice = "https://go.example/?x=" + encoded(encoded(encoded(SHOP)));
        assertThat(LinkTarget.of(thrice)).isEqualTo(thrice);
    }

    @Test
    void theMemberThatNamesTheTargetComesFirst() {
        assertThat(LinkTarget.of(
                        "https://click.example/?ref=" + encoded("https://ref.example/") + "&url=" + encoded(SHOP)))
                .isEqualTo(SHOP);
    }

    @Test
    void asterisksOfProofpointAreTheCharactersBehind() {
        String code = base64("?=&äöü");
        assertThat(LinkTarget.of(
                        "https://urldefense.com/v3/__https://shop.example/sale*id*7*q=**B__;" + code + "!!A!b$"))
                .isEqualTo("https://shop.example/sale?id=7&q=%C3%A4%C3%B6%C3%BC");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ' ', textBlock = """
            ?id=7&utm_source=news&utm_medium=email ?id=7
            ?utm_campaign=x&fbclid=y ''
            ?UTM_Source=x&id=7 ?id=7
            ?gclid=1&dclid=2&msclkid=3&mc_cid=4&mc_eid=5&id=7 ?id=7
            ?_hsenc=1&_hsmi=2&mkt_tok=3&vero_id=4&vero_conv=5&id=7 ?id=7
            ?oly_anon_id=1&oly_enc_id=2&s_cid=3&igshid=4&ck_subscriber_id=5&a&b= ?a&b=
            ?id=7&amp;utm_source=x ?id=7
            ?my_utm_source=1&id=%7e&& ?my_utm_source=1&id=%7e&&
            ?utm_source=x#utm_source=y #utm_source=y
            /how-to-reset-your-password?utm_source=x /how-to-reset-your-password
            """)
    void whatTracksTheReaderIsDropped(String query, String left) {
        assertThat(LinkTarget.of("https://shop.example/sale" + query)).isEqualTo("https://shop.example/sale" + left);
        assertThat(LinkTarget.exact("https://shop.example/sale" + query))
                .isEqualTo("https://shop.example/sale" + query);
    }

    @Test
    void anExactTargetIsTheOneThatIsWritten() {
        String verify = "https://ID.example:443/v/../verify?t=%7e8a&utm_source=x";
        assertThat(LinkTarget.exact(" " + verify + "\n")).isEqualTo(verify);
        assertThat(LinkTarget.exact("https://click.s.example/ls?u=" + encoded(verify)))
                .isEqualTo(verify);
        assertThat(LinkTarget.exact("https://id.example/ä b\u202E"))
                .isEqualTo("https://id.example/%C3%A4%20b%E2%80%AE");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://ID.example/verify?t=%7e8a&utm_source=x",
                "https://id.example/users/password/edit?reset_password_token=x&mc_eid=1",
                "https://id.example/sign-in/now?gclid=2&t=1",
                "https://id.example/auth/magic-link?utm_medium=email"
            })
    void anAddressThatSignsInOrVerifiesStaysByteForByte(String address) {
        assertThat(LinkTarget.of(address)).isEqualTo(address);
        assertThat(LinkTarget.of("https://click.s.example/ls?u=" + encoded(address)))
                .isEqualTo(address);
    }

    @Test
    void hostileAddressesCostTimeInProportionToTheirLength() {
        for (String part :
                new String[] {"%25", "&u=", "/r", "a=https://a.example&", "/../", "__;", "aHR0", "**_", "?", "@"}) {
            String address = "https://r.example/v3/__" + part.repeat(30_000 / part.length());
            assertThat(LinkTarget.of(address)).isNotNull();
        }
        assertThat(LinkTarget.of("https://shop.example/" + "a".repeat(LinkTarget.LONGEST)))
                .isNull();
        assertThat(LinkTarget.exact("https://" + "ä.".repeat(15_000))).isNull();
    }
}
