package dev.inboxd.payment.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a payer of eip155 signed is read in one way, or refused. */
class EvmAuthorizationTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_795_980_000);
    private static final String PAYEE = "0x000000000000000000000000000000000000dEaD";
    private static final String USDC = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";
    private static final ExactTransfer WANTED = new ExactTransfer("eip155:84532", USDC, "2000000", PAYEE);

    private static final String TRANSFER = """
            {"signature": "0x01", "authorization": {
              "from": "0x2C7536E3605D9C16a7a3D7b1898e529396a65c23", "to": "0x000000000000000000000000000000000000dEaD",
              "value": "2000000", "validAfter": "1234567890", "validBefore": "1795980300",
              "nonce": "0xDC3D81d70a940acbf461ecc1bc61d32d961016824406a4b979c7999e409925da"}}
            """;

    private static final String PERMIT = """
            {"signature": "0x01", "permit2Authorization": {
              "from": "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23",
              "spender": "0x402085c248EeA27D92E8b30b2C58ed07f9E20001",
              "permitted": {"token": "0x036CbD53842c5426634e7929541eC2318f3dCF7e", "amount": "2000000"},
              "nonce": "3222906878057392594", "deadline": "1795980300",
              "witness": {"to": "0x000000000000000000000000000000000000dEaD", "validAfter": "1234567890"}}}
            """;

    @Test
    void bothFormsAreReadInOneSpelling() throws Exception {
        EvmAuthorization transfer = read(TRANSFER);
        assertThat(transfer.from()).isEqualTo("0x2c7536e3605d9c16a7a3d7b1898e529396a65c23");
        assertThat(transfer.nonce()).isEqualTo("0xdc3d81d70a940acbf461ecc1bc61d32d961016824406a4b979c7999e409925da");
        assertThat(transfer.end()).isEqualTo(Instant.ofEpochSecond(1_795_980_300));
        assertThat(transfer.refusal(WANTED, NOW)).isNull();
        EvmAuthorization permit = read(PERMIT);
        assertThat(permit.from()).isEqualTo(transfer.from());
        assertThat(permit.nonce()).isEqualTo("3222906878057392594");
        assertThat(permit.refusal(WANTED, NOW)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "000dEaD, 000dEaF, invalid_exact_evm_payload_recipient_mismatch, invalid_permit2_recipient_mismatch",
        "2000000, 1999999, invalid_exact_evm_payload_authorization_value_mismatch, permit2_amount_mismatch",
        "2000000, 2000001, invalid_exact_evm_payload_authorization_value_mismatch, permit2_amount_mismatch",
        "1795980300, 1795980005, invalid_exact_evm_payload_authorization_valid_before, permit2_deadline_expired",
        "1795980300, 0, invalid_exact_evm_payload_authorization_valid_before, permit2_deadline_expired",
        "1234567890, 1795980001, invalid_exact_evm_payload_authorization_valid_after, permit2_not_yet_valid",
    })
    void whatDoesNotFitIsRefusedWithTheWordsOfTheStandard(String old, String other, String transfer, String permit)
            throws Exception {
        assertThat(read(TRANSFER.replace(old, other)).refusal(WANTED, NOW)).isEqualTo(transfer);
        assertThat(read(PERMIT.replace(old, other)).refusal(WANTED, NOW)).isEqualTo(permit);
    }

    @Test
    void fiveSecondsMustBeLeftAndTheFirstSecondCounts() throws Exception {
        assertThat(read(TRANSFER.replace("1795980300", "1795980006")).refusal(WANTED, NOW))
                .isNull();
        assertThat(read(TRANSFER.replace("1234567890", "1795980000")).refusal(WANTED, NOW))
                .isNull();
    }

    @Test
    void permit2ForAnotherTokenIsRefused() throws Exception {
        ExactTransfer other = new ExactTransfer("eip155:84532", PAYEE, "2000000", PAYEE);
        assertThat(read(PERMIT).refusal(other, NOW)).isEqualTo("permit2_token_mismatch");
    }

    @Test
    void oneWithoutAnEndLastsAsLongAsATimeCanBeWritten() throws Exception {
        String endless = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
        assertThat(read(TRANSFER.replace("1795980300", endless)).end()).isEqualTo("9999-12-31T23:59:59Z");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            value = {
                "'2000000', 2000000, authorization.value must be a string",
                "'2000000', '02000000', ~authorization.value must be a whole number, as a string of digits~",
                "'2000000', '0x1e8480', ~authorization.value must be a whole number, as a string of digits~",
                "'2000000', '', ~authorization.value must be a whole number, as a string of digits~",
                "'2000000', '-1', ~authorization.value must be a whole number, as a string of digits~",
                "'2000000', '٢', ~authorization.value must be a whole number, as a string of digits~",
                "9925da, 9925, authorization.nonce must be a nonce of 32 bytes: 0x and 64 hexadecimal digits",
                "9925da, 9925dg, authorization.nonce must be a nonce of 32 bytes: 0x and 64 hexadecimal digits",
                "0x2C75, 0X2C75, authorization.from must be an address: 0x and 40 hexadecimal digits",
                "'0x01', null, signature must be a string",
                "~{'signature'~, ~{'permit2Authorization': {}, 'signature'~,"
                        + " authorization and permit2Authorization must not both be there",
            })
    void anotherFormIsAFaultThatNamesTheMember(String old, String other, String message) {
        assertThatThrownBy(() -> read(TRANSFER.replace(old.replace('\'', '"'), other.replace('\'', '"'))))
                .isInstanceOf(PaymentFormException.class)
                .hasMessage(message);
    }

    @Test
    void aNonceOfPermit2HasOneSpelling() {
        for (String other : new String[] {"03222906878057392594", "0x2cba4b1f", " 3222906878057392594"}) {
            assertThatThrownBy(() -> read(PERMIT.replace("3222906878057392594", other)))
                    .isInstanceOf(PaymentFormException.class);
        }
    }

    @Test
    void aPayloadThatOnlyAFacilitatorKnowsIsLeftToIt() throws Exception {
        assertThat(EvmAuthorization.read(members("""
                {"delegationManager": "0x1", "permissionContext": "0x2", "delegator": "0x3"}
                """))).isNull();
    }

    private static EvmAuthorization read(String payload) throws PaymentFormException {
        return Objects.requireNonNull(EvmAuthorization.read(members(payload)));
    }

    private static PaymentMembers members(String json) throws PaymentFormException {
        byte[] compact = Json.text(Json.stored(json)).getBytes(StandardCharsets.UTF_8);
        return PaymentMembers.decode(Base64.getEncoder().encodeToString(compact), Base64.getDecoder());
    }
}
