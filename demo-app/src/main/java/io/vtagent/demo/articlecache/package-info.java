/**
 * The case {@code article-cache}: a cache that fetches over HTTP inside a synchronized method, and
 * the same cache fixed. It depends on the JDK and on what the cases share, and on no other case.
 */
package io.vtagent.demo.articlecache;
