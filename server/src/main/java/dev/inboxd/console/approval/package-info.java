/** What waits for a decision at the console: drafts before they leave, and mail that is held from the agent. */
@NullMarked
package dev.inboxd.console.approval;

import org.jspecify.annotations.NullMarked;
