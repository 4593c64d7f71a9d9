import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A text that tries to steer an agent.
 *
 * @param source the collection that it comes from
 * @param group its kind, or the language that it is in
 * @param severe whether its makers count it as harmful by itself
 */
record Attack(String source, String group, boolean severe, String text) {
    /** Whether it belongs to the half that is not looked at while rules are written: by a hash of its text. */
    boolean isHeld() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return (hash[0] & 1) == 1;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
