import dev.inboxd.mail.markdown.TokenEstimate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Prints the estimate for each of the texts that it reads, which a zero keeps apart. */
class Tokens {
    private Tokens() {}

    public static void main(String[] arguments) throws IOException {
        String texts = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        for (String text : texts.split("\0", -1)) {
            System.out.println(TokenEstimate.of(text));
        }
    }
}
