/** Tests of {@code dev.inboxd.net}, and the name server and endpoint that other tests use too. */
@NullMarked
package dev.inboxd.net;

import org.jspecify.annotations.NullMarked;
