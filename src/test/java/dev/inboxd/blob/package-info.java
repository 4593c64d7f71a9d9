/** Proofs for {@code dev.inboxd.blob}: one contract, run against every form of the store. */
@NullMarked
package dev.inboxd.blob;

import org.jspecify.annotations.NullMarked;
