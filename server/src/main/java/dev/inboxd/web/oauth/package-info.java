/** The forms of requests and answers that every OAuth server has (RFC 6749), and who may send them from a browser. */
@NullMarked
package dev.inboxd.web.oauth;

import org.jspecify.annotations.NullMarked;
