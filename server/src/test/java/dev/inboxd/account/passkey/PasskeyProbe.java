package dev.inboxd.account.passkey;

import static dev.inboxd.testing.JsonText.json;

import dev.inboxd.base.json.JsonTree;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.util.Base64;
import java.util.HexFormat;

/** A browser with an authenticator that has one key (WebAuthn §6), and lies where a test wants it to. */
final class PasskeyProbe {
    static final int PRESENT = 1;
    static final int VERIFIED = 4;
    private static final int SYNCED = 8;
    private static final int HAS_CREDENTIAL = 64;

    private final KeyPair keys;
    private final byte[] id;
    private byte[] handle = {};

    String origin = "https://inboxd.test";
    String host = "inboxd.test";
    int flags = PRESENT | VERIFIED | SYNCED;
    int counter;

    PasskeyProbe() {
        this(32);
    }

    /** One whose credential has an id of so many octets. */
    PasskeyProbe(int idLength) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256);
            keys = generator.generateKeyPair();
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
        id = new byte[idLength];
        new SecureRandom().nextBytes(id);
    }

    /** Answers what a page asks to make, as its script sends it. */
    String made(String options) {
        JsonTree asked = JsonTree.of(options.getBytes(StandardCharsets.UTF_8));
        handle = Base64.getUrlDecoder().decode(asked.get("user").text("id"));
        byte[] data = authenticatorData(flags | HAS_CREDENTIAL, credential());
        String attestation = base64(joined(
                HexFormat.of().parseHex("a363666d74646e6f6e656761747453746d74a068617574684461746159"),
                ByteBuffer.allocate(2).putShort((short) data.length).array(),
                data));
        return answer(json(
                "clientDataJSON",
                base64(clientData("webauthn.create", asked.text("challenge"))),
                "attestationObject",
                attestation));
    }

    /** Answers what a page asks to sign in. */
    String signed(String options) {
        String challenge = JsonTree.of(options.getBytes(StandardCharsets.UTF_8)).text("challenge");
        byte[] client = clientData("webauthn.get", challenge);
        byte[] data = authenticatorData(flags, new byte[0]);
        return answer(json(
                "clientDataJSON",
                base64(client),
                "authenticatorData",
                base64(data),
                "signature",
                base64(signature(joined(data, digest(client)))),
                "userHandle",
                base64(handle)));
    }

    private String answer(String response) {
        return """
                {"id": "%s", "rawId": "%s", "type": "public-key", "authenticatorAttachment": "platform",
                 "clientExtensionResults": {}, "response": %s}""".formatted(base64(id), base64(id), response);
    }

    private byte[] clientData(String type, String challenge) {
        return json("type", type, "challenge", challenge, "origin", origin, "crossOrigin", false)
                .getBytes(StandardCharsets.UTF_8);
    }

    private byte[] authenticatorData(int said, byte[] credential) {
        return joined(
                digest(host.getBytes(StandardCharsets.UTF_8)),
                ByteBuffer.allocate(5).put((byte) said).putInt(counter).array(),
                credential);
    }

    private byte[] credential() {
        ECPublicKey key = (ECPublicKey) keys.getPublic();
        return joined(
                new byte[16],
                ByteBuffer.allocate(2).putShort((short) id.length).array(),
                id,
                HexFormat.of().parseHex("a5010203262001215820"),
                coordinate(key.getW().getAffineX()),
                HexFormat.of().parseHex("225820"),
                coordinate(key.getW().getAffineY()));
    }

    private static byte[] coordinate(BigInteger number) {
        return HexFormat.of().parseHex("%064x".formatted(number));
    }

    private byte[] signature(byte[] content) {
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(keys.getPrivate());
            signature.update(content);
            return signature.sign();
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static byte[] digest(byte[] content) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(content);
        } catch (GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static String base64(byte[] content) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(content);
    }
}
