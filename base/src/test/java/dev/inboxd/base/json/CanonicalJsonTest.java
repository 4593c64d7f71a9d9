package dev.inboxd.base.json;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of RFC 8785. */
class CanonicalJsonTest {
    /** §3.2.2 and §3.2.4; a quotation mark is written as an apostrophe here. */
    @Test
    void theExampleOfTheStandardHasItsForm() {
        assertThat(text("""
                {
                  'numbers': [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
                  'string': '\\u20ac$\\u000F\\u000aA\\u0027\\u0042\\u0022\\u005c\\\\\\u0022\\/',
                  'literals': [null, true, false]
                }""")).isEqualTo("""
                {'literals':[null,true,false],'numbers':[333333333.3333333,1e+30,4.5,0.002,1e-27],\
                'string':'€$\\u000f\\nA'B\\'\\\\\\\\\\'/'}""");
    }

    /** §3.2.3: by UTF-16 units, so that a character beyond 16 bits comes before one of the last letters within them. */
    @Test
    void membersAreSortedByTheUnitsOfTheirNames() {
        assertThat(text("""
                {'\\u20ac': 1, '\\r': 2, '\\ufb33': 3, '1': 4, '\\ud83d\\ude00': 5, '\\u0080': 6, '\\u00f6': 7, '10': 8,
                 '2': 9, 'n': {'b': null, 'a': []}}""")).isEqualTo("""
                {'\\r':2,'1':4,'10':8,'2':9,'n':{'a':[],'b':null},'\u0080':6,'\u00f6':7,'\u20ac':1,'\ud83d\ude00':5,\
                '\ufb33':3}""");
    }

    /** Appendix B: the bits of a double and its text. */
    @ParameterizedTest
    @CsvSource({
        "0000000000000000, 0",
        "8000000000000000, 0",
        "0000000000000001, 5e-324",
        "8000000000000001, -5e-324",
        "0000000000000002, 1e-323",
        "7fefffffffffffff, 1.7976931348623157e+308",
        "ffefffffffffffff, -1.7976931348623157e+308",
        "4340000000000000, 9007199254740992",
        "c340000000000000, -9007199254740992",
        "4430000000000000, 295147905179352830000",
        "44b52d02c7e14af5, 9.999999999999997e+22",
        "44b52d02c7e14af6, 1e+23",
        "44b52d02c7e14af7, 1.0000000000000001e+23",
        "444b1ae4d6e2ef4e, 999999999999999700000",
        "444b1ae4d6e2ef4f, 999999999999999900000",
        "444b1ae4d6e2ef50, 1e+21",
        "3eb0c6f7a0b5ed8c, 9.999999999999997e-7",
        "3eb0c6f7a0b5ed8d, 0.000001",
        "41b3de4355555553, 333333333.3333332",
        "41b3de4355555554, 333333333.33333325",
        "41b3de4355555555, 333333333.3333333",
        "41b3de4355555556, 333333333.3333334",
        "41b3de4355555557, 333333333.33333343",
        "becbf647612f3696, -0.0000033333333333333333",
        "43143ff3c1cb0959, 1424953923781206.2",
    })
    void numbersAreWrittenAsEcmaScriptDoes(String bits, String text) {
        assertThat(CanonicalJson.text(Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16))))
                .isEqualTo(text);
    }

    @Test
    void aWholeNumberThatNoDoubleHoldsIsTheDoubleThatOthersRead() {
        assertThat(CanonicalJson.text(9_007_199_254_740_993L)).isEqualTo("9007199254740992");
        assertThat(CanonicalJson.text(Long.MAX_VALUE)).isEqualTo("9223372036854776000");
        assertThat(CanonicalJson.text(9_007_199_254_740_991L)).isEqualTo("9007199254740991");
        assertThat(CanonicalJson.text(Map.of("a", 84532))).isEqualTo(json("a", 84532));
    }

    @Test
    void aNumberThatIsNotFiniteHasNoForm() {
        assertThatThrownBy(() -> CanonicalJson.text(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
    }

    private static String text(String json) {
        byte[] bytes = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        return CanonicalJson.text(Json.parse(bytes)).replace('"', '\'');
    }
}
