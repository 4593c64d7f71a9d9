/** Places where things fail because somebody who tests a program asked for it; in production nothing does. */
@NullMarked
package dev.inboxd.base.fault;

import org.jspecify.annotations.NullMarked;
