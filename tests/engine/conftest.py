import pytest

from ricordo import Ricordo

HANDBOOK = """# Handbook

Welcome to the handbook of the tea company.

## Leave

Each employee has 15 days of paid leave a year. Leave that is not taken by March expires.

## 报销

差旅费在返回后三十天内报销。住宿标准为每晚四百元，超出部分自理。

## Security

Passwords are changed every ninety days. Laptops are locked when nobody sits at them.
"""


@pytest.fixture(params=["sqlite", "memory"])
async def ricordo(request, tmp_path):
    async with Ricordo(tmp_path / "data", store=request.param, embedder="hash") as opened:
        yield opened


@pytest.fixture
async def bank(ricordo):
    return ricordo.bank("notes")


@pytest.fixture
def handbook():
    return HANDBOOK
