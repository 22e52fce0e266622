package com.example.articles;

import java.util.concurrent.CyclicBarrier;

class OneIT extends BothTests {
    private static final CyclicBarrier TOGETHER = new CyclicBarrier(2);

    OneIT() {
        super(TOGETHER);
    }
}
