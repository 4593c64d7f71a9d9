/** Which host a request names, and who sent it behind proxies. */
@NullMarked
package dev.inboxd.base.http.proxy;

import org.jspecify.annotations.NullMarked;
