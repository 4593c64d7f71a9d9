/** The console: pages for the people who answer for agents. They show what the API answers, and nothing else. */
@NullMarked
package dev.inboxd.console;

import org.jspecify.annotations.NullMarked;
