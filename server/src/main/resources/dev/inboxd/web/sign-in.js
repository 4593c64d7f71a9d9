// Signs an inbox in with a key that stays in this browser: WebCrypto makes it, and its private half cannot be read.
const action = JSON.parse(document.getElementById('sign-in-action').textContent);
const status = document.getElementById('status');
const encoder = new TextEncoder();

const say = (text) => {
  status.textContent = text;
};

const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

// ---- The keys of this browser

const opened = () =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open('inboxd-keys', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('keys', { keyPath: 'api_key_id' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const inStore = async (mode, work) => {
  const database = await opened();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction('keys', mode);
      const request = work(transaction.objectStore('keys'));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
};

const allKeys = async () => {
  const now = Date.now();
  const keys = await inStore('readonly', (store) => store.getAll());
  return keys.filter((key) => key.issuer === action.issuer && Date.parse(key.expires_at) > now);
};
const keep = (key) => inStore('readwrite', (store) => store.put(key));
const forget = (id) => inStore('readwrite', (store) => store.delete(id));

// ---- Signing

const signed = async (privateKey, header, payload) => {
  const text = [header, payload].map((part) => base64url(encoder.encode(JSON.stringify(part)))).join('.');
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
  return text + '.' + base64url(await crypto.subtle.sign(algorithm, privateKey, encoder.encode(text)));
};

const post = (url, body) =>
  fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    credentials: 'same-origin',
    body: JSON.stringify(body),
  });

const failure = async (response) => {
  const problem = await response.json().catch(() => ({}));
  return new Error([problem.message, problem.fix].filter(Boolean).join('. ') || 'The server did not answer as expected.');
};

const fingerprint = async ({ x, y }) =>
  base64url(await crypto.subtle.digest('SHA-256', encoder.encode(`{"crv":"P-256","kty":"EC","x":"${x}","y":"${y}"}`)));

/** Makes a key, keeps it here, and has it activated. */
const enrol = async (begun, url) => {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
  // The public half alone can be read.
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', pair.publicKey);
  const payload = {
    challenge: begun.challenge,
    api_key_id: begun.api_key_id,
    inbox_id: begun.inbox_id,
    fingerprint: await fingerprint({ x, y }),
  };
  const proof = await signed(pair.privateKey, { alg: 'ES256', typ: 'inbox-enrollment+jwt' }, payload);
  const key = {
    api_key_id: begun.api_key_id,
    inbox_id: begun.inbox_id,
    issuer: action.issuer,
    private_key: pair.privateKey,
    expires_at: begun.expires_at,
  };
  await keep(key);
  const response = await post(url, { api_key_id: begun.api_key_id, public_key: { kty, crv, x, y }, proof });
  if (!response.ok) {
    await forget(begun.api_key_id);
    throw await failure(response);
  }
  const active = await response.json();
  key.expires_at = active.expires_at;
  await keep(key);
  return { key, active };
};

// ---- The pages

const approve = async (key) => {
  say(`Signing in as ${key.inbox_id}…`);
  const header = { alg: 'ES256', typ: 'inbox-approval+jwt', kid: key.api_key_id };
  const payload = { jti: action.transaction_jti, inbox_id: key.inbox_id };
  const assertion = await signed(key.private_key, header, payload);
  const response = await post(action.approve_endpoint, { assertion, inbox_id: key.inbox_id });
  if (response.status === 401) {
    await forget(key.api_key_id); // it was deleted, or its thirty days are over
    return false;
  }
  if (!response.ok) {
    throw await failure(response);
  }
  location.assign(action.continue_url);
  return true;
};

/** The answer about the sign-in. A server that is away, or has no time, is asked again. */
const progress = async () => {
  for (;;) {
    const response = await fetch(action.status_url + '&wait=1', { credentials: 'same-origin' }).catch(() => null);
    if (response && response.status !== 429 && response.status < 500) {
      return response;
    }
    await new Promise((resolve) => setTimeout(resolve, response ? 5000 : 1000));
  }
};

const waitForAgent = async () => {
  document.getElementById('waiting').hidden = false;
  say('Waiting for an agent…');
  for (;;) {
    const response = await progress();
    if (!response.ok) {
      throw await failure(response);
    }
    const now = await response.json();
    if (now.state === 'enroll') {
      const { key } = await enrol(now.enroll, action.issuer + '/v0/authorize/activate');
      await approve(key);
      return;
    }
    if (now.state !== 'waiting') {
      location.assign(action.continue_url);
      return;
    }
  }
};

const chooseKey = (keys) =>
  new Promise((resolve) => {
    say('');
    const choice = document.getElementById('choice');
    const list = document.getElementById('choices');
    for (const key of keys) {
      const item = document.createElement('li');
      const button = document.createElement('button');
      button.textContent = key.inbox_id;
      button.onclick = () => {
        choice.hidden = true;
        resolve(key);
      };
      item.append(button);
      list.append(item);
    }
    choice.hidden = false;
  });

const newestOfEachInbox = (keys) => {
  const newest = new Map();
  for (const key of keys.sort((a, b) => Date.parse(a.expires_at) - Date.parse(b.expires_at))) {
    newest.set(key.inbox_id, key);
  }
  return [...newest.values()];
};

const authorize = async () => {
  for (;;) {
    const keys = newestOfEachInbox(await allKeys());
    const hinted = keys.find((key) => key.inbox_id === action.login_hint);
    if (!keys.length) {
      return waitForAgent();
    }
    if (await approve(hinted ?? (keys.length === 1 ? keys[0] : await chooseKey(keys)))) {
      return undefined;
    }
  }
};

const connect = async () => {
  const others = (await allKeys()).some((key) => key.inbox_id !== action.inbox_id);
  if (action.confirm || others) {
    await new Promise((resolve) => {
      const confirm = document.getElementById('confirm');
      confirm.hidden = false;
      document.getElementById('go').onclick = () => {
        confirm.hidden = true;
        resolve();
      };
    });
  }
  say('Creating a key for this browser…');
  const begun = await post(action.begin_endpoint, { token: location.pathname.split('/').pop() });
  if (!begun.ok) {
    throw await failure(begun);
  }
  const { active } = await enrol(await begun.json(), action.activate_endpoint);
  say('Continuing to the app…');
  location.replace(active.continue_url);
};

const decide = (decision) => async () => {
  document.querySelectorAll('button').forEach((button) => {
    button.disabled = true;
  });
  const response = await post(action.accept_endpoint, { ...action.accept_body, decision });
  if (!response.ok) {
    throw await failure(response);
  }
  location.replace(action.continue_url);
};

const disclosure = async () => {
  document.getElementById('accept').onclick = () => decide('accept')().catch((error) => say(error.message));
  document.getElementById('deny').onclick = () => decide('deny')().catch((error) => say(error.message));
};

const keys = async () => {
  const list = document.getElementById('keys');
  list.replaceChildren();
  const mine = await allKeys();
  say(mine.length ? '' : 'No keys.');
  for (const key of mine) {
    const item = document.createElement('li');
    const name = document.createElement('span');
    name.textContent = `${key.inbox_id}, until ${new Date(key.expires_at).toLocaleDateString()}`;
    const button = document.createElement('button');
    button.textContent = 'Remove';
    button.setAttribute('aria-label', `Remove the key of ${key.inbox_id}`);
    button.onclick = () => forget(key.api_key_id).then(keys);
    item.append(name, button);
    list.append(item);
  }
};

const pages = { session_required: authorize, sign_in_link: connect, disclosure_required: disclosure, keys };
pages[action.type]().catch((error) => {
  // What the page asked for is of no use any more.
  document.querySelectorAll('#waiting, #choice, #confirm').forEach((part) => {
    part.hidden = true;
  });
  say(error.message);
});
