/** Programs that a person lets in: an OAuth server for the API (RFC 6749, 7591, 8414, 9728). */
@NullMarked
package dev.inboxd.account.oauth;

import org.jspecify.annotations.NullMarked;
