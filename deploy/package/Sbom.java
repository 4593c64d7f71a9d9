import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the package is made of, in CycloneDX, as Maven's plugin writes it; without a number and a time of the run. */
final class Sbom {
    private static final ObjectMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final ObjectNode document;

    private Sbom(ObjectNode document) {
        this.document = document;
    }

    static Sbom read(Path file) throws IOException {
        Sbom sbom = new Sbom((ObjectNode) MAPPER.readTree(Files.readString(file)));
        if (sbom.document.has("serialNumber") || sbom.document.path("metadata").has("timestamp")) {
            throw new IOException(file + " has a number or a time of its own");
        }
        return sbom;
    }

    /** Adds the Java that is packed, which Maven does not know of. */
    void addRuntime() {
        ObjectNode java = ((ArrayNode) document.get("components")).addObject();
        java.put("type", "platform");
        java.put("bom-ref", "runtime");
        java.put("publisher", System.getProperty("java.vendor"));
        java.put("name", "OpenJDK");
        java.put("version", Runtime.version().toString());
        java.putArray("licenses").addObject().put("expression", "GPL-2.0-only WITH Classpath-exception-2.0");
    }

    /** The licences of an artefact by the names of SPDX; of several, one may be chosen. */
    List<String> licences(String artefact, String version) throws IOException {
        for (JsonNode component : document.get("components")) {
            if (component.path("name").asString().equals(artefact)
                    && component.path("version").asString().equals(version)) {
                List<String> names = new ArrayList<>();
                for (JsonNode each : component.path("licenses")) {
                    JsonNode licence = each.path("license");
                    names.add(licence.path("id")
                            .asString(licence.path("name")
                                    .asString(each.path("expression").asString(""))));
                }
                return names;
            }
        }
        throw new IOException("The bill of materials does not have " + artefact + " " + version);
    }

    void write(Path file) throws IOException {
        Files.writeString(file, MAPPER.writeValueAsString(document) + "\n");
    }
}
