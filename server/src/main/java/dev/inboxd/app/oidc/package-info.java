/** The OpenID provider at which apps let inboxes sign in. */
@NullMarked
package dev.inboxd.app.oidc;

import org.jspecify.annotations.NullMarked;
