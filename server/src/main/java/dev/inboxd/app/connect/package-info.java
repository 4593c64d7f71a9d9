/** How an inbox gets a key to sign in with: links, requests for a waiting browser, enrolment. */
@NullMarked
package dev.inboxd.app.connect;

import org.jspecify.annotations.NullMarked;
