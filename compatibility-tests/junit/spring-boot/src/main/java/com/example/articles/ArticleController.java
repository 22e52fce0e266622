package com.example.articles;

import java.util.concurrent.locks.ReentrantLock;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class ArticleController {
    private final Object monitor = new Object();
    private final ReentrantLock lock = new ReentrantLock();
    private final Articles articles;

    ArticleController(Articles articles) {
        this.articles = articles;
    }

    @GetMapping("/pinned")
    String pinned() throws InterruptedException {
        synchronized (monitor) {
            return slowly();
        }
    }

    @GetMapping("/fixed")
    String fixed() throws InterruptedException {
        lock.lock();
        try {
            return slowly();
        } finally {
            lock.unlock();
        }
    }

    private String slowly() throws InterruptedException {
        Thread.sleep(20);
        return articles.fetch() + (Thread.currentThread().isVirtual() ? " on a virtual thread" : "");
    }
}
