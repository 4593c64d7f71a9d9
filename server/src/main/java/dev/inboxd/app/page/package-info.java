/** The pages of signing in. */
@NullMarked
package dev.inboxd.app.page;

import org.jspecify.annotations.NullMarked;
