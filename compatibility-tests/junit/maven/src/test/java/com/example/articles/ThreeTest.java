package com.example.articles;

import java.util.concurrent.CyclicBarrier;

class ThreeTest extends BothTests {
    private static final CyclicBarrier TOGETHER = new CyclicBarrier(2);

    ThreeTest() {
        super(TOGETHER);
    }
}
