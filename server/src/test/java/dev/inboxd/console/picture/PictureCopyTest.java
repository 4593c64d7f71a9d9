package dev.inboxd.console.picture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pictures of strangers are drawn anew, within limits of octets, points and time. */
public class PictureCopyTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    public static byte[] picture(String format, int width, int height) {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D pen = image.createGraphics();
        pen.setColor(Color.ORANGE);
        pen.fillRect(0, 0, width, height);
        pen.dispose();
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        try {
            ImageIO.write(image, format, octets);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return octets.toByteArray();
    }

    private static BufferedImage read(PictureCopy copy) throws IOException {
        return ImageIO.read(new ByteArrayInputStream(copy.content()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"png", "jpeg", "gif"})
    void aPictureIsDrawnAnew(String format) throws IOException {
        PictureCopy copy = PictureCopy.of(picture(format, 40, 30)).orElseThrow();
        assertThat(copy.type()).isEqualTo(format.equals("jpeg") ? "image/jpeg" : "image/png");
        BufferedImage seen = read(copy);
        assertThat(seen.getWidth()).isEqualTo(40);
        assertThat(seen.getHeight()).isEqualTo(30);
        Color color = new Color(seen.getRGB(20, 15));
        assertThat(color.getRed()).isGreaterThan(240);
        assertThat(color.getBlue()).isLessThan(20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"png", "jpeg"})
    void whatFollowsOrAccompaniesThePictureIsNotInTheCopy(String format) {
        byte[] picture = picture(format, 40, 30);
        String hidden = "<script>attack()</script>";
        byte[] words = hidden.getBytes(StandardCharsets.ISO_8859_1);
        byte[] told = format.equals("png")
                ? inserted(picture, 33, chunk("tEXt", words))
                : inserted(picture, 2, segment(0xE1, words));
        byte[] whole = inserted(told, told.length, words);
        PictureCopy copy = PictureCopy.of(whole).orElseThrow();
        assertThat(new String(copy.content(), StandardCharsets.ISO_8859_1)).doesNotContain("attack");
    }

    @Test
    @Tag("long")
    void aLargePictureIsMadeSmaller() throws IOException {
        PictureCopy copy = PictureCopy.of(picture("png", 3_000, 1_900)).orElseThrow();
        assertThat(read(copy).getWidth()).isEqualTo(1_000);
        assertThat(PictureCopy.of(picture("png", 3_000, 2_001))).isEmpty();
        assertThat(PictureCopy.of(picture("png", 10_001, 1))).isEmpty();
    }

    /** A file of 200 octets that says it is 50,000 by 50,000. */
    @Test
    void aBombIsNotUnpacked() {
        byte[] header = ByteBuffer.allocate(13)
                .putInt(50_000)
                .putInt(50_000)
                .put(new byte[] {8, 2, 0, 0, 0})
                .array();
        byte[] bomb = inserted(signature(), 8, chunk("IHDR", header));
        bomb = inserted(bomb, bomb.length, chunk("IDAT", packed(new byte[100])));
        byte[] whole = inserted(bomb, bomb.length, chunk("IEND", new byte[0]));
        assertTimeout(SOON, () -> assertThat(PictureCopy.of(whole)).isEmpty());
    }

    /** A text of a chunk that unpacks to 64 MiB is left out before anything reads it. */
    @Test
    @Tag("long")
    void aBombBesideThePictureIsNotUnpacked() {
        byte[] zeros = packed(new byte[64 << 20]);
        byte[] text = inserted("c\0\0".getBytes(StandardCharsets.ISO_8859_1), 3, zeros);
        byte[] whole = inserted(picture("png", 4, 4), 33, chunk("zTXt", text));
        byte[] both = inserted(whole, 33, chunk("iCCP", text));
        assertTimeout(SOON, () -> assertThat(PictureCopy.of(both)).isPresent());
    }

    /** Each pass over a JPEG costs time: a thousand of a few octets each are refused. */
    @Test
    @Tag("long")
    void aJpegOfManyPassesIsRefused() {
        byte[] picture = picture("jpeg", 2_000, 2_000);
        int scan = indexOf(picture, 0xDA);
        byte[] pass = Arrays.copyOfRange(picture, scan, scan + 14);
        ByteArrayOutputStream passes = new ByteArrayOutputStream();
        for (int i = 0; i < 1_000; i++) {
            passes.writeBytes(pass);
        }
        byte[] whole = inserted(picture, scan, passes.toByteArray());
        assertTimeout(SOON, () -> assertThat(PictureCopy.of(whole)).isEmpty());
    }

    @Test
    void whatIsNoPictureHasNoCopy() {
        for (String other : new String[] {
            "",
            "<svg xmlns='http://www.w3.org/2000/svg' onload='attack()'/>",
            "GIF89a",
            "\u0089PNG",
            "%PDF-1.7",
            "BM",
            "RIFF    WEBPVP8 "
        }) {
            assertThat(PictureCopy.of(other.getBytes(StandardCharsets.ISO_8859_1)))
                    .as(other)
                    .isEmpty();
        }
        assertThat(PictureCopy.of(Arrays.copyOf(picture("png", 4, 4), PictureCopy.LONGEST + 1)))
                .isEmpty();
    }

    /** Broken files of each format end without a fault, whatever is broken. */
    @ParameterizedTest
    @ValueSource(strings = {"png", "jpeg", "gif"})
    void brokenPicturesEnd(String format) {
        byte[] picture = picture(format, 64, 64);
        Random random = new Random(7);
        assertTimeout(Duration.ofSeconds(60), () -> {
            for (int i = 0; i < 300; i++) {
                byte[] broken = Arrays.copyOf(picture, 1 + random.nextInt(picture.length));
                for (int k = 0; k < 4; k++) {
                    broken[random.nextInt(broken.length)] = (byte) random.nextInt(256);
                }
                PictureCopy.of(broken).ifPresent(copy -> assertThat(copy.type()).startsWith("image/"));
            }
        });
    }

    private static byte[] signature() {
        return Arrays.copyOf(picture("png", 1, 1), 8);
    }

    private static int indexOf(byte[] picture, int marker) {
        int at = 0;
        while ((picture[at] & 0xFF) != 0xFF || (picture[at + 1] & 0xFF) != marker) {
            at++;
        }
        return at;
    }

    private static byte[] inserted(byte[] into, int at, byte[] more) {
        return ByteBuffer.allocate(into.length + more.length)
                .put(into, 0, at)
                .put(more)
                .put(into, at, into.length - at)
                .array();
    }

    private static byte[] chunk(String type, byte[] content) {
        CRC32 check = new CRC32();
        check.update(type.getBytes(StandardCharsets.ISO_8859_1));
        check.update(content);
        return ByteBuffer.allocate(content.length + 12)
                .putInt(content.length)
                .put(type.getBytes(StandardCharsets.ISO_8859_1))
                .put(content)
                .putInt((int) check.getValue())
                .array();
    }

    private static byte[] segment(int marker, byte[] content) {
        return ByteBuffer.allocate(content.length + 4)
                .put((byte) 0xFF)
                .put((byte) marker)
                .putShort((short) (content.length + 2))
                .put(content)
                .array();
    }

    private static byte[] packed(byte[] content) {
        try (Deflater deflater = new Deflater(9)) {
            deflater.setInput(content);
            deflater.finish();
            byte[] out = new byte[1 << 20];
            return Arrays.copyOf(out, deflater.deflate(out));
        }
    }
}
