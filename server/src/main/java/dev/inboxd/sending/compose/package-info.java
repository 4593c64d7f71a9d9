/** What is to be sent, from the request of a client to the signed message: new mail, replies, forwards. */
@NullMarked
package dev.inboxd.sending.compose;

import org.jspecify.annotations.NullMarked;
