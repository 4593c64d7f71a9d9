/** Proofs for {@code dev.inboxd.net}, and the fake name server and endpoint that other tests use too. */
@NullMarked
package dev.inboxd.net;

import org.jspecify.annotations.NullMarked;
