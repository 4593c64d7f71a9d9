package dev.inboxd.console.picture;

import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.stream.MemoryCacheImageInputStream;

/**
 * A picture of somebody else, drawn anew: what is not a picture, or says more than its points, is not in the copy. One
 * is drawn at a time. Of a moving picture the first one is left.
 *
 * @param type its media type
 * @param content its octets
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PictureCopy(String type, byte[] content) {
    /** Octets of a picture that are read at most. */
    static final int LONGEST = 2 << 20;

    /** Points of a picture that is read at most; progressive JPEG needs six octets for each, outside the heap. */
    private static final long MOST_POINTS = 6_000_000;

    /** Points of a copy, about; a larger picture is made smaller while it is read. */
    private static final double COPIED_POINTS = 1_200_000;

    private static final int LONGEST_SIDE = 10_000;

    static {
        System.setProperty("java.awt.headless", "true"); // whatever display the shell of the server had
        ImageIO.setUseCache(false); // in memory: pictures of mail are not written to temporary files
    }

    private static final Semaphore PERMIT = new Semaphore(1);

    /** A copy of a PNG, JPEG or GIF; empty for everything else, and for what is too large. */
    public static Optional<PictureCopy> of(byte[] picture) {
        String format = PictureOctets.format(picture);
        byte[] bare = format.isEmpty() || picture.length > LONGEST ? new byte[0] : PictureOctets.bare(format, picture);
        if (bare.length == 0) {
            return Optional.empty();
        }
        PERMIT.acquireUninterruptibly();
        try {
            return copied(format, bare);
        } catch (IOException | RuntimeException broken) {
            return Optional.empty();
        } finally {
            PERMIT.release();
        }
    }

    private static Optional<PictureCopy> copied(String format, byte[] bare) throws IOException {
        ImageReader reader = reader(format);
        try (var input = new MemoryCacheImageInputStream(new ByteArrayInputStream(bare))) {
            reader.setInput(input, true, true);
            int width = reader.getWidth(0);
            int height = reader.getHeight(0);
            long points = (long) width * height;
            if (width < 1 || height < 1 || width > LONGEST_SIDE || height > LONGEST_SIDE || points > MOST_POINTS) {
                return Optional.empty();
            }
            int step = (int) Math.ceil(Math.sqrt(Math.max(1, points / COPIED_POINTS)));
            ImageReadParam every = reader.getDefaultReadParam();
            every.setSourceSubsampling(step, step, 0, 0);
            return Optional.of(written(reader.read(0, every), format.equals("jpeg")));
        } finally {
            reader.dispose();
        }
    }

    /** The reader of the JDK, whatever others are on the class path. */
    private static ImageReader reader(String format) {
        Iterator<ImageReader> readers = ImageIO.getImageReadersByFormatName(format);
        while (readers.hasNext()) {
            ImageReader reader = readers.next();
            if (reader.getClass().getName().startsWith("com.sun.imageio.")) {
                return reader;
            }
        }
        throw new IllegalStateException("this Java reads no " + format);
    }

    private static PictureCopy written(BufferedImage read, boolean photograph) throws IOException {
        int type = photograph ? BufferedImage.TYPE_INT_RGB : BufferedImage.TYPE_INT_ARGB;
        BufferedImage drawn = new BufferedImage(read.getWidth(), read.getHeight(), type);
        Graphics2D pen = drawn.createGraphics();
        pen.drawImage(read, 0, 0, null);
        pen.dispose();
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        if (!ImageIO.write(drawn, photograph ? "jpeg" : "png", copy)) {
            throw new IOException("no writer");
        }
        return new PictureCopy(photograph ? "image/jpeg" : "image/png", copy.toByteArray());
    }
}
