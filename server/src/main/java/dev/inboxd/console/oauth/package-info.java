/** Programs that a person lets in: OAuth for clients of {@code /mcp}, with the console as the place of consent. */
@NullMarked
package dev.inboxd.console.oauth;

import org.jspecify.annotations.NullMarked;
