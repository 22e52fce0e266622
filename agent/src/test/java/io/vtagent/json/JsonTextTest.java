package io.vtagent.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {

    @Test
    void eachKindOfFieldIsWrittenInTurn() {
        assertThat(
                        JsonText.of(
                                json -> {
                                    json.field("text", "a");
                                    json.field("number", Long.MAX_VALUE);
                                    json.field("share", 0.25);
                                    json.field("yes", true);
                                    json.object("object", in -> in.field("in", 1));
                                    json.objects(
                                            "objects",
                                            List.of(1, 2),
                                            value -> json.field("value", value.intValue()));
                                    json.strings("strings", List.of("a", "b"));
                                    json.numbers("numbers", new long[] {1, -2});
                                    json.rows("rows", List.of(new long[] {1, 2}, new long[0]));
                                    json.objects(
                                            "none",
                                            List.<Integer>of(),
                                            value -> json.field("value", value.intValue()));
                                }))
                .isEqualTo(
                        "{\"text\":\"a\",\"number\":9223372036854775807,\"share\":0.25,\"yes\":true,"
                            + "\"object\":{\"in\":1},\"objects\":[{\"value\":1},{\"value\":2}],\"strings\":[\"a\",\"b\"],"
                            + "\"numbers\":[1,-2],\"rows\":[[1,2],[]],\"none\":[]}");
    }

    @Test
    void whatIsNullIsLeftOut() {
        assertThat(
                        JsonText.of(
                                json -> {
                                    json.field("before", 1);
                                    json.field("text", null);
                                    json.field("after", 2);
                                }))
                .isEqualTo("{\"before\":1,\"after\":2}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"",
                "\\",
                "\n\r\t\b\f",
                "\u0000\u001f",
                "\u2028\u2029",
                "</script>",
                "µ \uD83D\uDE00",
                "\uD800"
            })
    void whateverATextHoldsIsReadBack(String text) {
        String json =
                JsonText.of(
                        in -> {
                            in.field(text, text);
                            in.strings("all", List.of(text));
                        });

        assertThat(new Gson().fromJson(json, JsonObject.class).get(text).getAsString())
                .isEqualTo(text);
        assertThat(json).doesNotContain("\n", "\u2028");
    }
}
