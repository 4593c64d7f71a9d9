/**
 * The description of the API for programs, people and models: {@code docs/api.yaml}, {@code events.yaml} beside it and
 * the guides, as they are in this build. Nothing here decides anything; tests hold the description and the routes
 * together.
 */
@NullMarked
package dev.inboxd.reference;

import org.jspecify.annotations.NullMarked;
