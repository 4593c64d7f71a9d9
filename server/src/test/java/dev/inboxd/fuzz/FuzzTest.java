package dev.inboxd.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Proves;
import dev.inboxd.testing.TestSize;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A short run over every parser: its seeds, and four hundred inputs that are made of them, the same every time; in
 * the long form three thousand. Markdown, which is read back by another parser each time, gets a fifth.
 */
class FuzzTest {
    private static final int INPUTS = TestSize.of(400, 3_000);
    private static final int LONGEST = 8 * 1024;
    private static final byte[] DANGEROUS =
            "\r\n\0.<>@:;,\"'\\()[]{}=?&#%/ \t\u001e".getBytes(StandardCharsets.ISO_8859_1);

    @ParameterizedTest
    @Proves("P14")
    @EnumSource(FuzzCorpus.class)
    void nothingThatIsReadBreaksAParser(FuzzCorpus target) {
        Random random = new Random(5321);
        List<byte[]> inputs = new ArrayList<>(target.seeds());
        inputs.forEach(target::run);
        target.run(new byte[0]);
        int number = target == FuzzCorpus.MARKDOWN ? INPUTS / 5 : INPUTS;
        for (int i = 0; i < number; i++) {
            byte[] input = changed(inputs.get(random.nextInt(inputs.size())), inputs, random);
            try {
                target.run(input);
            } catch (RuntimeException | Error failure) {
                throw new AssertionError(target + " on " + Arrays.toString(input), failure);
            }
            if (i % 10 == 0) {
                inputs.add(input); // so that changes add up
            }
        }
        assertThat(inputs).hasSizeGreaterThan(number / 10);
    }

    private static byte[] changed(byte[] input, List<byte[]> others, Random random) {
        byte[] changed = input;
        for (int n = 1 + random.nextInt(4); n > 0; n--) {
            int at = random.nextInt(changed.length + 1);
            int end = at + random.nextInt(changed.length - at + 1);
            changed = switch (random.nextInt(5)) {
                case 0 -> replaced(changed, at, end, new byte[0]);
                case 1 -> replaced(changed, at, at, new byte[] {DANGEROUS[random.nextInt(DANGEROUS.length)]});
                case 2 ->
                    replaced(changed, at, Math.min(at + 1, changed.length), new byte[] {(byte) random.nextInt(256)});
                case 3 ->
                    replaced(changed, at, at, repeated(Arrays.copyOfRange(changed, at, end), 1 + random.nextInt(20)));
                default -> {
                    byte[] other = others.get(random.nextInt(others.size()));
                    int from = random.nextInt(other.length + 1);
                    yield replaced(changed, at, end, Arrays.copyOfRange(other, from, other.length));
                }
            };
        }
        return changed.length > LONGEST ? Arrays.copyOf(changed, LONGEST) : changed;
    }

    private static byte[] repeated(byte[] piece, int times) {
        byte[] all = new byte[Math.min(LONGEST, piece.length * times)];
        for (int i = 0; i < all.length; i++) {
            all[i] = piece[i % piece.length];
        }
        return all;
    }

    private static byte[] replaced(byte[] input, int from, int to, byte[] by) {
        byte[] output = new byte[input.length - (to - from) + by.length];
        System.arraycopy(input, 0, output, 0, from);
        System.arraycopy(by, 0, output, from, by.length);
        System.arraycopy(input, to, output, from + by.length, input.length - to);
        return output;
    }
}
