package dev.inboxd.app.oidc;

import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.AuthenticationResponseParser;
import com.nimbusds.openid.connect.sdk.AuthenticationSuccessResponse;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.UserInfoRequest;
import com.nimbusds.openid.connect.sdk.UserInfoResponse;
import com.nimbusds.openid.connect.sdk.claims.IDTokenClaimsSet;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import dev.inboxd.app.oidc.SignInFixture.Browser;
import dev.inboxd.app.oidc.SignInFixture.Holder;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The OpenID client of Nimbus signs in by discovery, with PKCE and {@code iss} (apps.md §6). */
class NimbusClientHttpTest {
    @RegisterExtension
    private static final World world = World.start(Map.of("LIMITS", "off"));

    /** An app as this client library sees it. */
    private record Client(OIDCProviderMetadata provider, ClientID id, JWSAlgorithm algorithm) {
        static Client discover(UUID app, JWSAlgorithm algorithm) throws Exception {
            Issuer issuer = new Issuer("http://127.0.0.1:" + world.httpPort());
            // It compares the issuer in the document with the one that it asked (OpenID Connect Discovery 1.0 §4.3).
            return new Client(OIDCProviderMetadata.resolve(issuer), new ClientID(app.toString()), algorithm);
        }

        AuthenticationRequest request(State state, Nonce nonce, CodeVerifier verifier) {
            return new AuthenticationRequest.Builder(
                            ResponseType.CODE, new Scope("openid", "email", "profile"), id, redirect())
                    .endpointURI(provider.getAuthorizationEndpointURI())
                    .state(state)
                    .nonce(nonce)
                    .codeChallenge(verifier, CodeChallengeMethod.S256)
                    .build();
        }

        OIDCTokenResponse redeem(AuthenticationSuccessResponse back, CodeVerifier verifier) throws Exception {
            return (OIDCTokenResponse) OIDCTokenResponseParser.parse(new TokenRequest.Builder(
                                    provider.getTokenEndpointURI(),
                                    new ClientSecretBasic(id, new Secret(SignInFixture.SECRET)),
                                    new AuthorizationCodeGrant(back.getAuthorizationCode(), redirect(), verifier))
                            .build()
                            .toHTTPRequest()
                            .send())
                    .toSuccessResponse();
        }

        IDTokenValidator validator() throws Exception {
            return new IDTokenValidator(
                    provider.getIssuer(), id, algorithm, provider.getJWKSetURI().toURL());
        }

        private static URI redirect() {
            return URI.create(SignInFixture.REDIRECT);
        }
    }

    enum Algorithm {
        RS256,
        ES256
    }

    @ParameterizedTest
    @EnumSource
    void theClientOfNimbusSignsIn(Algorithm algorithm) throws Exception {
        UUID app = SignInFixture.app(world, "," + members("id_token_signed_response_alg", algorithm.toString()));
        Client client = Client.discover(app, JWSAlgorithm.parse(algorithm.name()));
        assertThat(client.provider.supportsAuthorizationResponseIssuerParam()).isTrue();
        Holder holder = Holder.register(
                world.http(),
                world.inbox("nimbus" + algorithm.name().substring(0, 2).toLowerCase(Locale.ROOT)));
        State state = new State();
        Nonce nonce = new Nonce();
        CodeVerifier verifier = new CodeVerifier();

        AuthenticationSuccessResponse back = signIn(client.request(state, nonce, verifier), holder);
        assertThat(back.getState()).isEqualTo(state);
        assertThat(back.getIssuer()).isEqualTo(client.provider.getIssuer()); // RFC 9207 §2.4
        OIDCTokenResponse tokens = client.redeem(back, verifier);
        IDTokenClaimsSet claims =
                client.validator().validate(tokens.getOIDCTokens().getIDToken(), nonce);
        assertThat(claims.getStringClaim("email")).isEqualTo(holder.inbox());
        assertThatThrownBy(
                        () -> client.validator().validate(tokens.getOIDCTokens().getIDToken(), new Nonce()))
                .isInstanceOf(BadJOSEException.class);

        UserInfoResponse told = UserInfoResponse.parse(new UserInfoRequest(
                        client.provider.getUserInfoEndpointURI(),
                        tokens.getOIDCTokens().getBearerAccessToken())
                .toHTTPRequest()
                .send());
        assertThat(told.toSuccessResponse().getUserInfo().getSubject()).isEqualTo(claims.getSubject());
        assertThat(told.toSuccessResponse().getUserInfo().getEmailAddress()).isEqualTo(holder.inbox());
    }

    private static AuthenticationSuccessResponse signIn(AuthenticationRequest request, Holder holder) throws Exception {
        Answer page = world.anonymous()
                .with("Accept", "application/json")
                .get("/v0/authorize?" + request.toQueryString())
                .is(200);
        String cookie = String.valueOf(page.header("Set-Cookie")).split(";", -1)[0];
        Browser browser = new Browser(world, page.text("auth_token"), cookie);
        holder.approve(world, browser.jti()).is(204);
        URI location = URI.create(String.valueOf(browser.proceed().is(303).header("Location")));
        return AuthenticationResponseParser.parse(location).toSuccessResponse();
    }
}
