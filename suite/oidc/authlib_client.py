"""A client made with Authlib: `begin` prints where the browser goes, `end` redeems what it came back with."""

import json
import os
import sys

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.common.security import generate_token  # noqa: E402
from authlib.integrations.requests_client import OAuth2Session  # noqa: E402
from authlib.jose import JsonWebKey, jwt  # noqa: E402
from authlib.oidc.core import CodeIDToken  # noqa: E402
import requests  # noqa: E402

app, issuer, step = json.loads(sys.argv[1]), sys.argv[2], sys.argv[3]
metadata = requests.get(issuer + "/.well-known/openid-configuration", timeout=20).json()
session = OAuth2Session(
    app["app_id"], app.get("client_secret"), scope="openid email profile", redirect_uri=app["redirect_uris"][0],
    code_challenge_method="S256", token_endpoint_auth_method=app["token_endpoint_auth_method"])
if step == "begin":
    verifier, nonce = generate_token(48), generate_token()
    url, state = session.create_authorization_url(
        metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce)
    print(json.dumps({"url": url, "state": state, "verifier": verifier, "nonce": nonce}))
else:
    begun, location = json.loads(sys.argv[4]), sys.argv[5]
    token = session.fetch_token(
        metadata["token_endpoint"], authorization_response=location, state=begun["state"],
        code_verifier=begun["verifier"])
    keys = JsonWebKey.import_key_set(requests.get(metadata["jwks_uri"], timeout=20).json())
    claims = jwt.decode(
        token["id_token"], keys, claims_cls=CodeIDToken,
        claims_options={"iss": {"values": [issuer]}, "aud": {"value": app["app_id"]}},
        claims_params={"nonce": begun["nonce"], "client_id": app["app_id"], "access_token": token["access_token"]})
    claims.validate()
    print(json.dumps({"claims": claims, "userinfo": session.get(metadata["userinfo_endpoint"]).json()}))
